// Hit test: finds the histogram and the bin under the pointer.

import { topOf } from "./draw_histograms";
import { fromPx, toPx } from "./scales";
import { type Bars, columnEdges, type Plan } from "./spread_plan";
import type { SpreadPick, SpreadScene } from "./spread_types";

export function pickSpread(scene: SpreadScene, plan: Plan, xPx: number, yPx: number): SpreadPick | null {
  const { shown, bars, layout } = plan;
  if (shown.length === 0) return null;
  if (bars === null) return pickOf(plan, nearestRow(plan, xPx), null);
  if (scene.look === "heat") {
    const row = columnAt(plan, fromPx(layout.x, xPx));
    return row === null
      ? null
      : pickOf(plan, row, binAt(bars, row, fromPx(layout.y, yPx), 1 / Math.abs(layout.y.slope)));
  }
  const value = fromPx(layout.x, xPx);
  const row = scene.look === "offset" ? ridgeAt(scene, plan, bars, value, yPx) : lineAt(scene, plan, bars, value, yPx);
  return pickOf(plan, row, binAt(bars, row, value, 1 / Math.abs(layout.x.slope)));
}

function pickOf({ shown }: Plan, row: number, bin: SpreadPick["bin"]): SpreadPick | null {
  const at = shown[row];
  return at === undefined ? null : { at, bin };
}

function nearestRow({ shown, times, layout }: Plan, xPx: number): number {
  return least(shown.length, (row) => Math.abs(toPx(layout.x, times[shown[row] ?? 0] ?? 0) - xPx));
}

function least(count: number, sizeOf: (row: number) => number): number {
  let best = 0;
  for (let row = 1; row < count; row++) if (sizeOf(row) < sizeOf(best)) best = row;
  return best;
}

function columnAt({ times, shown }: Plan, time: number): number | null {
  const edges = columnEdges(times, shown);
  for (let row = 0; row < shown.length; row++) {
    if (time >= (edges[row] ?? 0) && time <= (edges[row + 1] ?? 0)) return row;
  }
  return null;
}

/** Returns the front ridge that covers the position; if there is none, the one whose baseline is nearest. */
function ridgeAt(scene: SpreadScene, plan: Plan, bars: Bars, value: number, yPx: number): number {
  const { shown, times, layout } = plan;
  const foot = (row: number): number => toPx(layout.y, times[shown[row] ?? 0] ?? 0);
  for (let row = shown.length - 1; row >= 0; row--) {
    const count = binAt(bars, row, value)?.count ?? 0;
    if (yPx <= foot(row) + 1 && yPx >= topOf(scene, plan, count, foot(row)) - 1) return row;
  }
  return least(shown.length, (row) => Math.abs(foot(row) - yPx));
}

function lineAt(scene: SpreadScene, plan: Plan, bars: Bars, value: number, yPx: number): number {
  const { bottomPx } = plan.layout.plot;
  return least(plan.shown.length, (row) =>
    Math.abs(topOf(scene, plan, binAt(bars, row, value)?.count ?? 0, bottomPx) - yPx),
  );
}

/** Returns the narrowest bin that contains a value; a bin without width is as wide as `pixel`. Null: there is none. */
export function binAt(bars: Bars, row: number, value: number, pixel = 0): SpreadPick["bin"] {
  let best: SpreadPick["bin"] = null;
  const end = bars.first[row + 1] ?? 0;
  for (let i = bars.first[row] ?? 0; i < end; i++) {
    const [left, right, count] = [bars.lefts[i] ?? 0, bars.rights[i] ?? 0, bars.counts[i] ?? 0];
    const reach = Math.max(right, left + pixel);
    if (value < left || value > reach || (value === right && right > left && i < end - 1)) continue;
    if (best === null || right - left < best.right - best.left) best = { left, right, count };
  }
  return best;
}
