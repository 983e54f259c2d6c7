// A box beside the pointer that describes what is under it.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./hover_tip.css";

const GAP_PX = 16;
const EDGE_PX = 8;

type Properties = {
  readonly at: { readonly clientX: number; readonly clientY: number };
  readonly children: ComponentChildren;
};

export function HoverTip({ at, children }: Properties): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  // a popover is on top and positioned relative to the window; inside a card, "fixed" would be relative to the card
  useLayoutEffect(() => box.current?.showPopover(), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const right = at.clientX + GAP_PX;
    const x = right + width <= innerWidth - EDGE_PX ? right : at.clientX - GAP_PX - width;
    const y = Math.min(at.clientY - height / 3, innerHeight - height - EDGE_PX);
    element.style.left = `${Math.max(EDGE_PX, x)}px`;
    element.style.top = `${Math.max(EDGE_PX, y)}px`;
  });
  return (
    <div class="hover-tip" ref={box} popover="manual" role="tooltip" data-testid="hover-tip">
      {children}
    </div>
  );
}

/** A row with a name and its value. */
export function TipRow({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class="hover-tip__row">
      <span class="hover-tip__name">{name}</span>
      <span class="hover-tip__value">{children}</span>
    </div>
  );
}
