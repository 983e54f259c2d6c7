// Grid, axis line and tick labels.

import { dragHandlesOf } from "./drag_handles";
import { type Layout, snap, textWidth } from "./layout";
import { toPx } from "./scales";
import type { Surface } from "./surface";
import type { Scene } from "./types";

type Framed = Pick<Scene, "ratio" | "colors" | "font" | "widthPx" | "x" | "locale" | "selection">;

export function drawGrid(surface: Surface, scene: Framed, layout: Layout): void {
  const { leftPx, rightPx, topPx, bottomPx } = layout.plot;
  const thin = hairline(scene.ratio);
  surface.fillStyle = scene.colors.grid;
  for (const { value } of layout.yTicks) {
    const y = snap(toPx(layout.y, value) - thin / 2, scene.ratio);
    if (y >= topPx - 1 && y <= bottomPx) surface.fillRect(leftPx, y, rightPx - leftPx, thin);
  }
  for (const { value } of layout.xTicks) {
    const x = snap(toPx(layout.x, value) - thin / 2, scene.ratio);
    if (x >= leftPx && x <= rightPx) surface.fillRect(x, topPx, thin, bottomPx - topPx);
  }
}

export function drawAxes(surface: Surface, scene: Framed, layout: Layout): void {
  const { leftPx, rightPx, bottomPx } = layout.plot;
  const { fontPx } = layout;
  const thin = hairline(scene.ratio);
  surface.fillStyle = scene.colors.axis;
  surface.fillRect(leftPx, bottomPx, rightPx - leftPx, thin);
  surface.font = scene.font;
  surface.fillStyle = scene.colors.quiet;
  surface.textAlign = "right";
  surface.textBaseline = "middle";
  for (const { value, label } of layout.yTicks) surface.fillText(label, leftPx - 6, toPx(layout.y, value));
  surface.textAlign = "center";
  surface.textBaseline = "top";
  const handles = dragHandlesOf(scene, layout);
  let taken = Number.NEGATIVE_INFINITY;
  for (const { value, label, context } of layout.xTicks) {
    const x = toPx(layout.x, value);
    const half = textWidth(label, fontPx) / 2;
    const at = inside(x, 2 * half, scene.widthPx);
    // hide labels that overlap a handle: half a label would be misread
    const hidden = handles.some(({ box }) => at + half > box.leftPx && at - half < box.rightPx);
    if (!hidden) surface.fillText(label, at, bottomPx + 6);
    const width = textWidth(context, fontPx);
    const middle = inside(x, width, scene.widthPx);
    if (context === "" || middle - width / 2 < taken + 6) continue;
    surface.fillText(context, middle, bottomPx + 6 + Math.ceil(fontPx * 1.2));
    taken = middle + width / 2;
  }
}

/** Keeps labels at the ends of an axis within the card. */
function inside(x: number, width: number, limit: number): number {
  return Math.min(Math.max(x, width / 2 + 1), Math.max(limit - width / 2 - 1, width / 2 + 1));
}

/** Returns the width of one whole device pixel, or two on dense screens. */
export function hairline(ratio: number): number {
  return Math.max(1, Math.floor(ratio)) / ratio;
}
