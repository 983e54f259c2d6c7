// The handles that move a selected step or range: labels on the x axis, below their lines.

import { formatDate, formatWhole, type Language } from "../base/locale";
import { formatDuration, formatNumber } from "../base/numbers";
import { type Box, type Layout, textWidth } from "./layout";
import { toPx } from "./scales";
import type { Axis, Scene, Selection } from "./types";

/** The value that a handle moves: the step, or one end of the range. */
export type SelectionEnd = "at" | "lo" | "hi";

export type DragHandle = {
  readonly end: SelectionEnd;
  readonly value: number;
  readonly label: string;
  readonly box: Box;
};

export function dragHandlesOf(
  scene: Pick<Scene, "selection" | "x" | "locale" | "widthPx">,
  layout: Layout,
): readonly DragHandle[] {
  const { selection } = scene;
  if (selection === null) return [];
  const ends: readonly (readonly [SelectionEnd, number])[] =
    selection.kind === "step"
      ? [["at", selection.at]]
      : [
          ["lo", selection.lo],
          ["hi", selection.hi],
        ];
  return ends.flatMap(([end, value]) => {
    const xPx = toPx(layout.x, value);
    if (!(xPx >= layout.plot.leftPx - 1 && xPx <= layout.plot.rightPx + 1)) return [];
    const label = labelOf(value, scene.x, scene.locale);
    const half = textWidth(label, layout.fontPx) / 2 + 5;
    const middle = Math.min(Math.max(xPx, half), Math.max(scene.widthPx - half, half));
    const topPx = layout.plot.bottomPx + 3;
    const box = {
      leftPx: middle - half,
      rightPx: middle + half,
      topPx,
      bottomPx: topPx + Math.ceil(layout.fontPx * 1.45),
    };
    return [{ end, value, label, box }];
  });
}

function labelOf(value: number, axis: Axis, locale: Language): string {
  if (axis.format === "wall") return formatDate(value, locale, "second") ?? "NaN";
  if (axis.format === "relative") return formatDuration(value);
  if (axis.format === "step") return formatWhole(Math.round(value), locale).replace("-", "−");
  return formatNumber(value);
}

const REACH_PX = 5;

/** Hit test: returns the handle whose label or line is at a point. */
export function dragHandleAt(
  handles: readonly DragHandle[],
  layout: Layout,
  xPx: number,
  yPx: number,
): DragHandle | null {
  // the last drawn handle is on top
  for (const handle of [...handles].reverse()) {
    const { leftPx, rightPx, topPx, bottomPx } = handle.box;
    if (xPx >= leftPx && xPx <= rightPx && yPx >= topPx - 3 && yPx <= bottomPx + 2) return handle;
  }
  if (yPx < layout.plot.topPx || yPx > layout.plot.bottomPx) return null;
  return [...handles].reverse().find((handle) => Math.abs(toPx(layout.x, handle.value) - xPx) <= REACH_PX) ?? null;
}

/** Returns the selection with one handle moved. Handles that pass each other swap their ends; steps are rounded. */
export function moveHandle(selection: Selection, end: SelectionEnd, value: number, axis: Axis): Selection {
  const at = axis.format === "step" ? Math.round(value) : value;
  if (selection.kind === "step") return { kind: "step", at };
  const [a, b] = end === "lo" ? [at, selection.hi] : [selection.lo, at];
  return { kind: "range", lo: Math.min(a, b), hi: Math.max(a, b) };
}
