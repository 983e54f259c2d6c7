// One card over the whole page, with the way to the one before and after it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Card, cardsInOrder } from "../../state/cards";
import { changeView, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { CardBody } from "./card";
import "./full_card.css";
import { hoveredCard } from "./hovered_card";
import { isTyping } from "./shortcuts";
import { Toolbar } from "./toolbar";
import { tip } from "./tooltip_state";

/** The card some places away in the order of the page; null at its ends. */
export function cardBeside(key: string, by: number): string | null {
  const order = cardsInOrder();
  const at = order.indexOf(key);
  return at === -1 ? null : (order[at + by] ?? null);
}

export function goBeside(key: string, by: number): void {
  const next = cardBeside(key, by);
  if (next !== null) changeView({ full: next });
}

export function leaveFull(): void {
  changeView({ full: "" }, { entry: true });
}

export function FullCard({ card }: { readonly card: Card }): JSX.Element {
  const words = texts.value.timeseries;
  const frame = useRef<HTMLElement>(null);
  const widthPx = useSignal(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      widthPx.value = element.clientWidth;
    });
    widthPx.value = element.clientWidth;
    observer.observe(element);
    return () => observer.disconnect();
  }, [widthPx]);
  useEffect(() => {
    hoveredCard.value = card.key;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector("dialog[open], .popover:popover-open") !== null) return;
      if (event.key === "Escape" && tip.peek()?.frozen !== true) leaveFull();
      else if (event.key === "ArrowLeft" && !inChart(event.target)) goBeside(card.key, -1);
      else if (event.key === "ArrowRight" && !inChart(event.target)) goBeside(card.key, 1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [card.key]);
  const before = cardBeside(card.key, -1);
  const after = cardBeside(card.key, 1);
  return (
    <>
      <div class="timeseries-toolbar-place">
        <Toolbar />
      </div>
      <section class="full-card" ref={frame} data-card={card.title} data-full aria-label={card.title}>
        <div class="full-card__bar">
          <Button
            kind="quiet"
            icon="left"
            title={words.previous}
            disabled={before === null}
            onClick={() => goBeside(card.key, -1)}
          />
          <Button
            kind="quiet"
            icon="right"
            title={words.next}
            disabled={after === null}
            onClick={() => goBeside(card.key, 1)}
          />
          <Button kind="quiet" icon="shrink" title={`${words.leaveFull} (Esc)`} onClick={leaveFull} />
        </div>
        {widthPx.value > 0 && (
          <CardBody key={card.key} card={card} above="" widthPx={widthPx.value} urgency={() => 0} full />
        )}
      </section>
    </>
  );
}

/** There the arrows pan. */
function inChart(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(".line-chart") !== null;
}
