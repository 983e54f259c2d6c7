// The corner of a card that the user drags to resize all cards.

import type { JSX } from "preact";
import { changeView, texts, view } from "../state/view";

const STEP_PX = 20;

export function ResizeHandle({ widthPx }: { readonly widthPx: number }): JSX.Element {
  const words = texts.value.cards;
  const start = (event: PointerEvent): void => {
    const handle = event.currentTarget;
    if (!(handle instanceof HTMLElement)) return;
    event.preventDefault();
    handle.setPointerCapture(event.pointerId);
    const from = { x: event.clientX, y: event.clientY, height: view.value.cardHeight };
    const move = (now: PointerEvent): void => {
      changeView({
        cardWidth: Math.min(1600, Math.max(280, Math.round(widthPx + now.clientX - from.x))),
        cardHeight: Math.min(1200, Math.max(160, Math.round(from.height + now.clientY - from.y))),
      });
    };
    const end = (): void => {
      handle.removeEventListener("pointermove", move);
      handle.removeEventListener("pointerup", end);
      handle.removeEventListener("pointercancel", end);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a corner that is dragged has no element of its own
    <div
      class="resize-handle"
      role="separator"
      aria-label={words.resize}
      aria-valuenow={view.value.cardHeight}
      tabIndex={0}
      title={words.resize}
      onPointerDown={start}
      onKeyDown={(event) => {
        const { cardHeight } = view.value;
        const wider = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        const higher = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (wider === 0 && higher === 0) return;
        event.preventDefault();
        changeView({
          cardWidth: Math.min(1600, Math.max(280, widthPx + wider * STEP_PX)),
          cardHeight: Math.min(1200, Math.max(160, cardHeight + higher * STEP_PX)),
        });
      }}
    />
  );
}
