// One card in full screen, with buttons for the previous and next card.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { changeView, texts } from "../state/view";
import { Button } from "../widgets/button";
import "./full_frame.css";
import { hoveredCard } from "./hovered_card";
import { isTyping, ownsArrows } from "./keys";

export type FrameSize = { readonly widthPx: number; readonly heightPx: number };

type Properties = {
  readonly cardKey: string;
  readonly title: string;
  /** Keys of the cards on the page, in its order. */
  readonly order: () => readonly string[];
  /** True while Esc has something else to close. */
  readonly keepsEscape?: (() => boolean) | undefined;
  readonly attributes?: Readonly<Record<`data-${string}`, string>> | undefined;
  readonly children: (size: FrameSize) => JSX.Element;
};

export function openFull(cardKey: string): void {
  changeView({ full: cardKey }, { entry: true });
}

export function leaveFull(): void {
  changeView({ full: "" }, { entry: true });
}

export function FullFrame({ cardKey, title, order, keepsEscape, attributes, children }: Properties): JSX.Element {
  const words = texts.value.cards;
  const frame = useRef<HTMLElement>(null);
  const size = useFrameSize(frame);
  const all = order();
  const at = all.indexOf(cardKey);
  const before = at === -1 ? undefined : all[at - 1];
  const after = at === -1 ? undefined : all[at + 1];
  useKeys(cardKey, before, after, keepsEscape);
  return (
    <section class="full-card" ref={frame} data-card={title} data-full aria-label={title} {...attributes}>
      <div class="full-card__bar">
        <Button
          kind="quiet"
          icon="left"
          title={words.previous}
          disabled={before === undefined}
          onClick={() => go(before)}
        />
        <Button kind="quiet" icon="right" title={words.next} disabled={after === undefined} onClick={() => go(after)} />
        <Button kind="quiet" icon="shrink" title={`${words.leaveFull} (Esc)`} onClick={leaveFull} />
      </div>
      {size.widthPx > 0 && children(size)}
    </section>
  );
}

function go(cardKey: string | undefined): void {
  if (cardKey !== undefined) changeView({ full: cardKey });
}

function useFrameSize(frame: { readonly current: HTMLElement | null }): FrameSize {
  const size = useSignal<FrameSize>({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      size.value = { widthPx: element.clientWidth, heightPx: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    measure();
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  return size.value;
}

/** Esc closes the card, arrows show the previous and next card. */
function useKeys(
  cardKey: string,
  before: string | undefined,
  after: string | undefined,
  keepsEscape: Properties["keepsEscape"],
): void {
  useEffect(() => {
    hoveredCard.value = cardKey;
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || isTyping(event.target)) return;
      if (document.querySelector("dialog[open], .popover:popover-open") !== null) return;
      if (event.key === "Escape" && keepsEscape?.() !== true) leaveFull();
      else if (event.key === "ArrowLeft" && !ownsArrows(event.target)) go(before);
      else if (event.key === "ArrowRight" && !ownsArrows(event.target)) go(after);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [cardKey, before, after, keepsEscape]);
}
