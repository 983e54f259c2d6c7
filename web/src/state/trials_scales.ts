// Axes of trials: convert a number to its position on the axis (0 to 1) and back, and compute ticks. Linear,
// logarithmic, or by rank; columns of texts have one position per text.

import { ticks as roundTicks } from "d3-array";
import { formatNumber } from "../base/numbers";
import type { TrialScale } from "./members/hparams";
import { distinct, extentOf, type TrialColumn, textOf } from "./trials_columns";

export type AxisTick = { readonly place: number; readonly label: string; readonly number: number };

export type TrialAxis = {
  readonly column: TrialColumn;
  readonly scale: TrialScale | "places";
  /** Position by trial, 0 to 1; NaN if the axis cannot show the value. */
  readonly places: Float32Array;
  readonly placeOf: (number: number) => number;
  readonly numberAt: (place: number) => number;
  readonly ticks: readonly AxisTick[];
};

/** Values that span decades are spaced logarithmically unless the user selects otherwise. */
export function usualScale(column: TrialColumn): TrialScale {
  const extent = column.kind === "number" && column.role === "hparam" ? extentOf(column.numbers) : null;
  return extent !== null && extent[0] > 0 && extent[1] / extent[0] >= 50 ? "log" : "linear";
}

export function canBeLog(column: TrialColumn): boolean {
  return column.kind === "number" && (extentOf(column.numbers)?.[1] ?? 0) > 0;
}

export function axisOf(column: TrialColumn, scale: TrialScale): TrialAxis {
  if (column.kind !== "number") return placesAxis(column);
  if (scale === "quantile") return quantileAxis(column);
  return scale === "log" && canBeLog(column) ? logAxis(column) : linearAxis(column);
}

function finish(
  column: TrialColumn,
  scale: TrialAxis["scale"],
  placeOf: (number: number) => number,
  numberAt: (place: number) => number,
  tickNumbers: readonly number[],
  label: (number: number) => string = (number) => formatNumber(number),
): TrialAxis {
  const places = new Float32Array(column.numbers.length);
  for (let trial = 0; trial < places.length; trial++) places[trial] = placeOf(column.numbers[trial] ?? Number.NaN);
  const ticks = tickNumbers.map((number) => ({ place: placeOf(number), label: label(number), number }));
  return { column, scale, places, placeOf, numberAt, ticks: ticks.filter(({ place }) => place >= 0 && place <= 1) };
}

/** Infinities are at the ends. */
function share(at: number, lo: number, hi: number): number {
  if (Number.isNaN(at)) return Number.NaN;
  if (hi === lo) return at === lo ? 0.5 : at < lo ? 0 : 1;
  return Math.min(1, Math.max(0, (at - lo) / (hi - lo)));
}

// up to this many distinct values are the ticks: 128, 256 and 512 instead of 200, 300, 400
const FEW_VALUES = 8;

function ownTicks(column: TrialColumn): readonly number[] | null {
  return distinct(column.numbers, FEW_VALUES);
}

const TICKS = 6;

function linearAxis(column: TrialColumn): TrialAxis {
  const [lo, hi] = extentOf(column.numbers) ?? [0, 1];
  return finish(
    column,
    "linear",
    (number) => share(number, lo, hi),
    (place) => lo + place * (hi - lo),
    ownTicks(column) ?? roundTicks(lo, hi, TICKS),
  );
}

function logAxis(column: TrialColumn): TrialAxis {
  let [lo, hi] = [Number.POSITIVE_INFINITY, 0];
  for (const number of column.numbers) {
    if (!(number > 0) || number === Number.POSITIVE_INFINITY) continue;
    if (number < lo) lo = number;
    if (number > hi) hi = number;
  }
  const [from, to] = [Math.log(lo), Math.log(hi)];
  return finish(
    column,
    "log",
    // zero and negative numbers have no position
    (number) => (number > 0 ? share(Math.log(number), from, to) : Number.NaN),
    (place) => (place <= 0 ? lo : place >= 1 ? hi : Math.exp(from + place * (to - from))),
    ownTicks(column) ?? logTicks(lo, hi),
  );
}

function logTicks(lo: number, hi: number): readonly number[] {
  const first = Math.floor(Math.log10(lo));
  const last = Math.ceil(Math.log10(hi));
  const factors = last - first <= 2 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil((last - first + 1) / 8));
  const found: number[] = [];
  for (let power = first; power <= last; power += stride) {
    for (const factor of factors) {
      const tick = Number(`${factor}e${power}`);
      if (tick >= lo && tick <= hi) found.push(tick);
    }
  }
  return found.length >= 2 ? found : [lo, hi];
}

function quantileAxis(column: TrialColumn): TrialAxis {
  const sorted = column.numbers.filter((number) => !Number.isNaN(number)).sort();
  const last = Math.max(1, sorted.length - 1);
  const placeOf = (number: number): number => {
    if (Number.isNaN(number) || sorted.length === 0) return Number.NaN;
    // equal values are at the center of their ranks
    return Math.min(1, Math.max(0, (before(sorted, number, false) + before(sorted, number, true) - 1) / 2 / last));
  };
  const numberAt = (place: number): number =>
    sorted[Math.round(Math.min(1, Math.max(0, place)) * (sorted.length - 1))] ?? Number.NaN;
  const quarters = [...new Set([0, 0.25, 0.5, 0.75, 1].map(numberAt))].filter((number) => !Number.isNaN(number));
  return finish(column, "quantile", placeOf, numberAt, ownTicks(column) ?? quarters);
}

/** Returns how many numbers are smaller, or if `equal` smaller or equal. */
function before(sorted: Float64Array, number: number, equal: boolean): number {
  let [lo, hi] = [0, sorted.length];
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    const at = sorted[middle] ?? 0;
    if (at < number || (equal && at === number)) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

function placesAxis(column: TrialColumn): TrialAxis {
  const values = column.kind === "bool" ? [0, 1] : column.texts.map((_, at) => at);
  const count = Math.max(1, values.length);
  return finish(
    column,
    "places",
    (number) => (Number.isNaN(number) ? Number.NaN : (number + 0.5) / count),
    (place) => Math.min(count - 1, Math.max(0, Math.floor(place * count))),
    values,
    (number) => textOf(column, number),
  );
}

/** Returns ticks that do not overlap: each is at least `leastGap` from the one before. */
export function thinned(ticks: readonly AxisTick[], leastGap: number): readonly AxisTick[] {
  const sorted = [...ticks].sort((a, b) => a.place - b.place);
  const kept: AxisTick[] = [];
  for (const tick of sorted) {
    const last = kept.at(-1);
    if (last === undefined || tick.place - last.place >= leastGap) kept.push(tick);
  }
  return kept;
}
