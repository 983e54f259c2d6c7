// The right edge of a column head: dragging it or pressing arrow keys changes the column's width.

import type { JSX } from "preact";
import "./column_edge.css";

const KEY_STEP_PX = 16;

type Properties = {
  readonly label: string;
  readonly widthPx: number;
  readonly onResize: (widthPx: number) => void;
};

export function ColumnEdge({ label, widthPx, onResize }: Properties): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that moves has no element of its own
    <span
      class="column-edge"
      role="separator"
      aria-orientation="vertical"
      aria-valuenow={widthPx}
      aria-label={label}
      title={label}
      tabIndex={0}
      // the head itself can be dragged to move the column; its edge must not start that drag
      draggable
      onDragStart={(event) => {
        event.preventDefault();
        event.stopPropagation();
      }}
      onPointerDown={(event) => {
        event.preventDefault();
        event.stopPropagation();
        const edge = event.currentTarget;
        const startPx = event.clientX;
        edge.setPointerCapture(event.pointerId);
        const move = (to: PointerEvent): void => onResize(widthPx + to.clientX - startPx);
        edge.addEventListener("pointermove", move);
        edge.addEventListener("lostpointercapture", () => edge.removeEventListener("pointermove", move), {
          once: true,
        });
      }}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (by === 0) return;
        event.preventDefault();
        onResize(widthPx + by * KEY_STEP_PX);
      }}
    />
  );
}
