// Converts brushes on an axis between intervals (as shares of its length) and numbers or values.

import { numberOf, textOf } from "../../state/trials_columns";
import type { TrialBrush } from "../../state/trials_filter";
import type { TrialAxis } from "../../state/trials_scales";

export type Stretch = readonly [lo: number, hi: number];

/** Returns the intervals that a brush covers on its axis. */
export function stretchesOf(axis: TrialAxis, brush: TrialBrush | undefined): readonly Stretch[] {
  if (brush === undefined) return [];
  if (axis.scale === "places") {
    const half = 0.5 / Math.max(1, axis.ticks.length);
    const places = (brush.values ?? [])
      .map((value) => axis.placeOf(numberOf(axis.column, value)))
      .filter((place) => !Number.isNaN(place))
      .sort((a, b) => a - b);
    return joined(places.map((place) => [place - half, place + half]));
  }
  return (brush.ranges ?? []).flatMap(([lo, hi]): readonly Stretch[] => {
    const [from, to] = [axis.placeOf(lo), axis.placeOf(hi)];
    return Number.isNaN(to) ? [] : [[Number.isNaN(from) ? 0 : from, to]];
  });
}

/** Returns the brush that covers these intervals of an axis; null if it is empty. */
export function brushOf(axis: TrialAxis, stretches: readonly Stretch[]): TrialBrush | null {
  const whole = joined([...stretches].sort((a, b) => a[0] - b[0]));
  if (whole.length === 0) return null;
  if (axis.scale === "places") {
    const values = axis.ticks.filter(({ place }) => whole.some(([lo, hi]) => place >= lo && place <= hi));
    return values.length === 0 ? null : { values: values.map(({ number }) => textOf(axis.column, number)) };
  }
  return { ranges: whole.map(([lo, hi]): Stretch => [rounded(axis, lo, lo), rounded(axis, hi, hi)]) };
}

/** Merges intervals that touch. */
export function joined(sorted: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const [lo, hi] of sorted) {
    const last = found.at(-1);
    if (last !== undefined && lo <= last[1] + 1e-6) found[found.length - 1] = [last[0], Math.max(last[1], hi)];
    else found.push([lo, hi]);
  }
  return found;
}

/** Rounds a number for display, but keeps the precision of one pixel. */
function rounded(axis: TrialAxis, place: number, at: number): number {
  const exact = axis.numberAt(Math.min(1, Math.max(0, at)));
  // the ends of the axis are exact: rounding must not exclude the best trial
  if (place <= 0 || place >= 1 || axis.scale === "quantile" || exact === 0) return exact;
  const near = Math.abs(axis.numberAt(Math.min(1, at + 0.002)) - axis.numberAt(Math.max(0, at - 0.002)));
  const digits = near > 0 ? Math.ceil(Math.log10(Math.abs(exact) / near)) + 1 : 4;
  return Number(exact.toPrecision(Math.min(15, Math.max(2, digits))));
}
