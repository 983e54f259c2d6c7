// Sections and cards of the page, of which only those near the screen exist.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type CardGroup, cardGroups } from "../../state/cards";
import { wantedCard } from "../../state/layout";
import { member, texts } from "../../state/view";
import { CardFrame } from "./card";
import "./card_grid.css";
import { anchored, GAP_PX, gridOf, heightOf, type Layout, layOut, rowsIn } from "./layout";
import { standOut, topOfCard, uncover } from "./reveal";
import { SectionHeading } from "./section_heading";
import { extraHeightPx } from "./step_table_size";
import { noteScroll } from "./turns";

const HEADING_PX = 40;
const SUB_HEADING_PX = 32;
// cards are there, and ask for their lines, this far before they come into sight
const NEAR_PX = 600;

const cardWidth = member("cardWidth");
const cardHeight = member("cardHeight");

type Placed = {
  readonly key: string;
  readonly card: string;
  readonly group: CardGroup;
  readonly leftPx: number;
  readonly topPx: number;
};

export function CardGrid(): JSX.Element {
  const frame = useRef<HTMLElement>(null);
  const scrollPx = useSignal(0);
  const size = useSignal({ widthPx: 0, heightPx: 0 });
  const layout = useComputed(() => {
    const groups = cardGroups.value.map((group) => ({
      key: group.key,
      of: group,
      headingPx: group.depth === 0 ? HEADING_PX : SUB_HEADING_PX,
      cards: group.open ? group.length : 0,
    }));
    const grid = gridOf(size.value.widthPx, cardWidth.value);
    return layOut(groups, grid, cardHeight.value + extraHeightPx.value);
  });

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const style = getComputedStyle(element);
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      size.value = { widthPx: element.clientWidth - padding, heightPx: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);

  // what the reader looks at stays where it is when rows come, go or change their height
  const before = useRef<Layout<CardGroup> | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    const old = before.current;
    before.current = layout.value;
    if (element === null || old === null || old === layout.value || size.value.widthPx === 0) return;
    const wanted = anchored(old, layout.value, element.scrollTop);
    if (Math.abs(wanted - element.scrollTop) > 1) element.scrollTop = wanted;
  });

  useSignalEffect(() => {
    const key = wantedCard.value;
    const element = frame.current;
    if (key === null || element === null || size.value.widthPx === 0) return;
    const topPx = topOfCard(layout.value, key);
    // what is opened changes the layout, and this is asked again
    if (topPx === null && uncover(key)) return;
    wantedCard.value = null;
    if (topPx === null) return;
    // after the heights of what was just opened are on the page
    requestAnimationFrame(() => {
      element.scrollTop = topPx - GAP_PX;
      requestAnimationFrame(() => requestAnimationFrame(() => standOut(element, key.slice("tag:".length))));
    });
  });

  const shown = layout.value;
  const near = rowsIn(shown, scrollPx.value - NEAR_PX, scrollPx.value + size.value.heightPx + NEAR_PX);
  const headings: JSX.Element[] = [];
  const cards: Placed[] = [];
  if (size.value.widthPx > 0) {
    for (let i = near.from; i < near.to; i++) {
      const row = shown.rows[i];
      const topPx = shown.tops[i] ?? 0;
      if (row === undefined) continue;
      if (row.kind === "heading") headings.push(<SectionHeading key={row.key} group={row.of} topPx={topPx} />);
      else
        for (let place = row.from; place < row.to; place++) cards.push(placed(shown, row.of, place, row.from, topPx));
    }
  }
  const urgency = (topPx: number): number => {
    const above = scrollPx.peek() - topPx - shown.cardHeightPx;
    const below = topPx - scrollPx.peek() - size.peek().heightPx;
    return Math.max(0, above, below) + topPx * 1e-9;
  };
  return (
    <section
      class="card-grid"
      ref={frame}
      data-testid="card-grid"
      // by keyboard it scrolls like a page
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      aria-label={texts.value.timeseries.title}
      onScroll={(event) => {
        scrollPx.value = event.currentTarget.scrollTop;
        noteScroll(scrollPx.value);
      }}
    >
      <div class="card-grid__page" style={{ height: `${heightOf(shown)}px` }}>
        {headings}
        {cards.map(({ key, card, group, leftPx, topPx }) => (
          <CardFrame
            key={key}
            cardKey={card}
            group={group}
            leftPx={leftPx}
            topPx={topPx}
            widthPx={shown.grid.cardWidthPx}
            heightPx={shown.cardHeightPx}
            urgency={urgency}
          />
        ))}
      </div>
    </section>
  );
}

function placed(layout: Layout<CardGroup>, group: CardGroup, place: number, from: number, topPx: number): Placed {
  const card = group.keyAt(place);
  const leftPx = (place - from) * (layout.grid.cardWidthPx + GAP_PX);
  return { key: `${group.key}|${card}`, card, group, leftPx, topPx };
}
