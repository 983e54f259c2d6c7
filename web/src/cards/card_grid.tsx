// Sections and cards of a page. Only those near the viewport are rendered, by functions of the page.

import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { wantedCard } from "../state/layout";
import { member } from "../state/view";
import "./card_grid.css";
import { anchored, GAP_PX, type Group, gridOf, heightOf, type Layout, layOut, rowsIn } from "./layout";
import { standOut, topOfCard } from "./reveal";
import { noteScroll } from "./turns";

export const HEADING_PX = 40;
export const SUB_HEADING_PX = 32;
// cards this far outside of the viewport are rendered and request data
const NEAR_PX = 600;
// after a jump they are rendered this much later than the cards in the viewport
const NEAR_AFTER_MS = 60;

const cardWidth = member("cardWidth");

/** Cards below one heading. */
export type CardList = { readonly keyAt: (position: number) => string };

export type CardPlace = {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Distance of a card at this height from the viewport; 0 inside. */
  readonly urgency: (topPx: number) => number;
};

type Properties<G extends CardList> = {
  readonly label: string;
  /** Depends on signals only; must always be the same function. */
  readonly groups: () => readonly Group<G>[];
  readonly cardHeightPx: () => number;
  /** Minimum width of cards, whatever the user chose. */
  readonly leastWidthPx?: number | undefined;
  readonly heading: (group: G, topPx: number) => JSX.Element;
  readonly card: (cardKey: string, group: G, place: CardPlace) => JSX.Element;
  /** Removes one thing that hides a card; false if nothing hides it. */
  readonly uncover: (cardKey: string) => boolean;
};

type Size = { readonly widthPx: number; readonly heightPx: number };

/** The scrolling element. */
type Frame = { readonly current: HTMLElement | null };

export function CardGrid<G extends CardList>(properties: Properties<G>): JSX.Element {
  const { label, groups, cardHeightPx, leastWidthPx = 0, heading, card, uncover } = properties;
  const frame = useRef<HTMLElement>(null);
  const size = useSize(frame);
  const layout = useComputed(() => {
    const grid = gridOf(size.value.widthPx, cardWidth.value, leastWidthPx);
    return layOut(groups(), grid, cardHeightPx());
  });
  useAnchor(frame, layout, size);
  useReveal(frame, layout, size, uncover);
  const scroll = useScroll(size);
  const shown = layout.value;
  const { headings, cards } = placed(shown, scroll.topPx, scroll.nearPx.value, size);
  return (
    <section
      class="card-grid"
      ref={frame}
      data-testid="card-grid"
      // focusable, so that keys can scroll it
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      aria-label={label}
      onScroll={(event) => scroll.to(event.currentTarget.scrollTop)}
    >
      <div class="card-grid__page" style={{ height: `${heightOf(shown)}px` }}>
        {headings.map(({ key, group, topPx }) => (
          <Kept key={key}>{heading(group, topPx)}</Kept>
        ))}
        {cards.map(({ key, card: cardKey, group, place }) => (
          <Kept key={key}>{card(cardKey, group, place)}</Kept>
        ))}
      </div>
    </section>
  );
}

function useSize(frame: Frame): ReadonlySignal<Size> {
  const size = useSignal<Size>({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const style = getComputedStyle(element);
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      size.value = { widthPx: element.clientWidth - padding, heightPx: element.clientHeight };
    };
    // also called once after the first layout: cards are then rendered in a separate task
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  return size;
}

/** Keeps the visible cards in place when rows are added, removed or resized. */
function useAnchor<G>(frame: Frame, layout: ReadonlySignal<Layout<G>>, size: ReadonlySignal<Size>): void {
  const before = useRef<Layout<G> | null>(null);
  useLayoutEffect(() => {
    const element = frame.current;
    const old = before.current;
    before.current = layout.value;
    if (element === null || old === null || old === layout.value || size.value.widthPx === 0) return;
    const wanted = anchored(old, layout.value, element.scrollTop);
    if (Math.abs(wanted - element.scrollTop) > 1) element.scrollTop = wanted;
  });
}

/** Scrolls to the requested card. */
function useReveal<G extends CardList>(
  frame: Frame,
  layout: ReadonlySignal<Layout<G>>,
  size: ReadonlySignal<Size>,
  uncover: (cardKey: string) => boolean,
): void {
  useSignalEffect(() => {
    const key = wantedCard.value;
    const element = frame.current;
    if (key === null || element === null || size.value.widthPx === 0) return;
    const topPx = topOfCard(layout.value, key);
    // uncover() changes the layout, which runs this effect again
    if (topPx === null && uncover(key)) return;
    wantedCard.value = null;
    if (topPx === null) return;
    // after the new heights are on the page
    requestAnimationFrame(() => {
      element.scrollTop = topPx - GAP_PX;
      requestAnimationFrame(() => requestAnimationFrame(() => standOut(element, key)));
    });
  });
}

type Scroll = {
  readonly topPx: ReadonlySignal<number>;
  /** Margin around the viewport for rendering. */
  readonly nearPx: ReadonlySignal<number>;
  readonly to: (topPx: number) => void;
};

function useScroll(size: ReadonlySignal<Size>): Scroll {
  const scrollPx = useSignal(0);
  const nearPx = useSignal(NEAR_PX);
  const to = (topPx: number): void => {
    // a jump leaves no rendered card in the viewport: render only the viewport first
    if (Math.abs(topPx - scrollPx.value) > size.value.heightPx + NEAR_PX) {
      nearPx.value = 0;
      setTimeout(() => {
        nearPx.value = NEAR_PX;
      }, NEAR_AFTER_MS);
    }
    scrollPx.value = topPx;
    noteScroll(topPx);
  };
  return { topPx: scrollPx, nearPx, to };
}

type PlacedHeading<G> = { readonly key: string; readonly group: G; readonly topPx: number };
type PlacedCard<G> = { readonly key: string; readonly card: string; readonly group: G; readonly place: CardPlace };

/** Returns headings and cards in the viewport and near it. */
function placed<G extends CardList>(
  layout: Layout<G>,
  scrollPx: ReadonlySignal<number>,
  nearPx: number,
  size: ReadonlySignal<Size>,
): { readonly headings: readonly PlacedHeading<G>[]; readonly cards: readonly PlacedCard<G>[] } {
  const headings: PlacedHeading<G>[] = [];
  const cards: PlacedCard<G>[] = [];
  const near = rowsIn(layout, scrollPx.value - nearPx, scrollPx.value + size.value.heightPx + nearPx);
  if (size.value.widthPx <= 0) return { headings, cards };
  for (let i = near.from; i < near.to; i++) {
    const row = layout.rows[i];
    const topPx = layout.tops[i] ?? 0;
    if (row === undefined) continue;
    if (row.kind === "heading") {
      headings.push({ key: row.key, group: row.of, topPx });
      continue;
    }
    const heightPx = (layout.tops[i + 1] ?? 0) - topPx - GAP_PX;
    const urgency = (nowPx: number): number => {
      const above = scrollPx.peek() - nowPx - heightPx;
      const below = nowPx - scrollPx.peek() - size.peek().heightPx;
      return Math.max(0, above, below) + nowPx * 1e-9;
    };
    const widthPx = layout.grid.cardWidthPx;
    for (let at = row.from; at < row.to; at++) {
      const key = row.of.keyAt(at);
      const leftPx = (at - row.from) * (widthPx + GAP_PX);
      const place = { leftPx, topPx, widthPx, heightPx, urgency };
      cards.push({ key: `${row.group}|${key}`, card: key, group: row.of, place });
    }
  }
  return { headings, cards };
}

/** Gives its child a `key`; renders nothing else. */
function Kept({ children }: { readonly children: JSX.Element }): JSX.Element {
  return children;
}
