// The default ranges of a chart's axes. Unlike in TensorBoard, every line is visible from its first to its last point
// (docs/design/0026-y-range.md).

import { nice } from "d3-array";
import type { Extent, Lines } from "../api/client";
import type { Range, SCALES } from "./settings";

type Scale = (typeof SCALES)[number];

// share of the span left free at each end, so that no line runs along the frame
const Y_PADDING = 0.04;
// so that the first and last dot are not cut off
const X_PADDING = 0.015;

function number(value: number | string | null | undefined): number | null {
  if (value === null || value === undefined) return null;
  const found = Number(value);
  return Number.isFinite(found) ? found : null;
}

/** Which lines are visible, and which of their values count. */
export type Fitting = {
  readonly smoothed: boolean;
  /** Raw lines are visible behind smoothed ones. */
  readonly faint: boolean;
  readonly ignoreOutliers: boolean;
};

/** Returns the range of the visible values of some responses. */
export function valueExtent(
  answers: readonly { readonly lines: Lines; readonly part: "raw" | "smoothed" | undefined }[],
  { smoothed, faint, ignoreOutliers }: Fitting,
): Range | null {
  return union(
    answers.flatMap(({ lines, part }) => {
      const raw = !smoothed || faint || lines.smoothed === null;
      return [part !== "smoothed" && raw ? lines.values : null, part !== "raw" && smoothed ? lines.smoothed : null].map(
        (extent) => rangeOf(extent, ignoreOutliers),
      );
    }),
  );
}

function rangeOf(extent: Extent | null, ignoreOutliers: boolean): Range | null {
  const lo = number(ignoreOutliers ? extent?.low : extent?.min);
  const hi = number(ignoreOutliers ? extent?.high : extent?.max);
  return lo === null || hi === null ? null : [lo, hi];
}

export function xExtent(answers: readonly { readonly lines: Lines }[]): Range | null {
  const lo = number(answers[0]?.lines.lo);
  const hi = number(answers[0]?.lines.hi);
  return lo === null || hi === null ? null : [lo, hi];
}

/** Returns the range of the y axis for a range of values. */
export function yDomain(extent: Range | null, scale: Scale): Range {
  if (extent === null) return scale === "log" ? [0.1, 10] : [0, 1];
  const [lo, hi] = extent;
  if (scale === "log") {
    if (hi <= 0) return [0.1, 10];
    const from = lo > 0 ? lo : hi / 1e6;
    const factor = from === hi ? 2 : (hi / from) ** Y_PADDING;
    return [from / factor, hi * factor];
  }
  // a single value is centered
  if (lo === hi) return lo === 0 ? [-1, 1] : padded(lo - Math.abs(lo) / 2, hi + Math.abs(hi) / 2);
  return padded(lo, hi);
}

function padded(lo: number, hi: number): Range {
  const padding = (hi - lo) * Y_PADDING;
  const [from, to] = nice(lo - padding, hi + padding, 10);
  return Number.isFinite(from) && Number.isFinite(to) ? [from, to] : [lo, hi];
}

/** Returns the range of the x axis for data from lo to hi. */
export function xDomain(extent: Range | null, scale: Scale): Range {
  if (extent === null) return scale === "log" ? [1, 10] : [0, 1];
  const [lo, hi] = extent;
  if (scale === "log") {
    const from = lo > 0 ? lo : Math.min(1, hi > 0 ? hi / 10 : 1);
    return hi > from ? [from, hi] : [from, from * 10];
  }
  if (lo === hi) return [lo - 1, hi + 1];
  const padding = (hi - lo) * X_PADDING;
  return [lo - padding, hi + padding];
}

/** Share of the plot's width that the data cover without zoom. */
export const DATA_SHARE = 1 / (1 + 2 * X_PADDING);

export function union(ranges: readonly (Range | null)[]): Range | null {
  let lo = Number.POSITIVE_INFINITY;
  let hi = Number.NEGATIVE_INFINITY;
  for (const range of ranges) {
    if (range === null) continue;
    lo = Math.min(lo, range[0]);
    hi = Math.max(hi, range[1]);
  }
  return lo <= hi ? [lo, hi] : null;
}

// The compact columns are exact to a quarter of a pixel of a chart that shows the middle 90 % of the values; charts
// show at least that.
const ZOOM_FOR_EXACT = 1 / 8;

/** Returns true if the compact columns are too coarse for this range of y. */
export function needsExact(yRange: Range | null, middle: Range | null, scale: Scale): boolean {
  if (scale !== "linear") return true;
  if (yRange === null || middle === null) return false;
  return yRange[1] - yRange[0] < (middle[1] - middle[0]) * ZOOM_FOR_EXACT;
}
