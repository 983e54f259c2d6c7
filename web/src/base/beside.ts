// Places a box beside a rectangle of the window, never over it: right, left, below or above, wherever it fits.

export type Rect = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
export type BoxSize = { readonly width: number; readonly height: number };

export type Side = "right" | "left" | "below" | "above";

export type Beside = {
  readonly side: Side;
  readonly left: number;
  readonly top: number;
  /** Size of the box: smaller than requested if no side has enough space. */
  readonly width: number;
  readonly height: number;
};

const GAP_PX = 8;
const MARGIN_PX = 8;
const SIDES: readonly Side[] = ["right", "left", "below", "above"];

/** `rect`: what the box must not cover. Coordinates are relative to the window. */
export function beside(rect: Rect, box: BoxSize, window: BoxSize): Beside {
  const spaces = SIDES.map((side) => ({ side, ...spaceAt(side, rect, window) }));
  const shown = (space: BoxSize): number =>
    Math.min(box.width, Math.max(0, space.width)) * Math.min(box.height, Math.max(0, space.height));
  let best = spaces[0] as (typeof spaces)[number];
  // the first of equal ones: if the box fits at several sides, the order of the sides decides
  for (const space of spaces) if (shown(space) > shown(best)) best = space;
  const width = Math.max(0, Math.min(box.width, best.width));
  const height = Math.max(0, Math.min(box.height, best.height));
  return { side: best.side, width, height, ...positionAt(best.side, rect, { width, height }, window) };
}

/** Returns the largest size that a box at this side can have. */
function spaceAt(side: Side, rect: Rect, window: BoxSize): BoxSize {
  const width = window.width - 2 * MARGIN_PX;
  const height = window.height - 2 * MARGIN_PX;
  switch (side) {
    case "right":
      return { width: window.width - MARGIN_PX - rect.right - GAP_PX, height };
    case "left":
      return { width: rect.left - GAP_PX - MARGIN_PX, height };
    case "below":
      return { width, height: window.height - MARGIN_PX - rect.bottom - GAP_PX };
    case "above":
      return { width, height: rect.top - GAP_PX - MARGIN_PX };
  }
}

function positionAt(side: Side, rect: Rect, box: BoxSize, window: BoxSize): { left: number; top: number } {
  const left = within(rect.left, window.width - box.width);
  const top = within(rect.top, window.height - box.height);
  switch (side) {
    case "right":
      return { left: rect.right + GAP_PX, top };
    case "left":
      return { left: rect.left - GAP_PX - box.width, top };
    case "below":
      return { left, top: rect.bottom + GAP_PX };
    case "above":
      return { left, top: rect.top - GAP_PX - box.height };
  }
}

function within(at: number, most: number): number {
  return Math.max(MARGIN_PX, Math.min(at, most - MARGIN_PX));
}
