// The order of trials: by some columns, those that count most first, each up or down. Absent values come last either way.

import type { TrialColumn } from "./trials_columns";

export type SortKey = { readonly column: string; readonly down: boolean };

export function sortKey(text: string): SortKey {
  return text.startsWith("-") ? { column: text.slice(1), down: true } : { column: text, down: false };
}

/** `trials` (places of trials) in order; those that are equal stay as they were. */
export function sortTrials(
  trials: Int32Array,
  keys: readonly { readonly column: TrialColumn; readonly down: boolean }[],
): Int32Array {
  if (keys.length === 0) return trials;
  const places = keys.map(({ column, down }) => ranks(column.numbers, trials, down));
  // one number per trial where one key is all there is: sorting those is several times quicker than calling back
  const [only] = places;
  if (places.length === 1 && only !== undefined) return byOne(trials, only);
  const order = Int32Array.from(trials.keys());
  order.sort((a, b) => {
    for (const place of places) {
      const difference = (place[a] ?? 0) - (place[b] ?? 0);
      if (difference !== 0) return difference;
    }
    return a - b;
  });
  return order.map((at) => trials[at] ?? 0);
}

/** Comparable numbers, without NaN: what is absent stands behind everything. */
function ranks(numbers: Float64Array, trials: Int32Array, down: boolean): Float64Array {
  const found = new Float64Array(trials.length);
  const sign = down ? -1 : 1;
  for (let at = 0; at < found.length; at++) {
    const number = numbers[trials[at] ?? 0] ?? Number.NaN;
    // beyond the largest double there is nothing that orders; the infinities are clipped to it
    found[at] = Number.isNaN(number) ? Number.POSITIVE_INFINITY : clip(sign * number);
  }
  return found;
}

function clip(number: number): number {
  if (number === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  return number === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : number;
}

function byOne(trials: Int32Array, place: Float64Array): Int32Array {
  const order = Int32Array.from(trials.keys());
  order.sort((a, b) => {
    const [one, other] = [place[a] ?? 0, place[b] ?? 0];
    return one < other ? -1 : one > other ? 1 : a - b;
  });
  return order.map((at) => trials[at] ?? 0);
}
