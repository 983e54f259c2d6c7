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
  // by what counts least first: what counts more then leaves equals as they are
  return keys.reduceRight((sorted, { column, down }) => byOne(sorted, ranks(column.numbers, sorted, down)), trials);
}

/** Comparable numbers, without NaN: what is absent stands behind everything. */
function ranks(numbers: Float64Array, trials: Int32Array, down: boolean): Float64Array {
  const result = new Float64Array(trials.length);
  for (let at = 0; at < result.length; at++) {
    const number = numbers[trials[at] ?? 0] ?? Number.NaN;
    // beyond the largest double there is nothing that orders; the infinities are clipped to it
    result[at] = Number.isNaN(number) ? Number.POSITIVE_INFINITY : clip(down ? -number : number);
  }
  return result;
}

function clip(number: number): number {
  if (number === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (number === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE;
  // one zero, or their signs would tell them apart
  return number === 0 ? 0 : number;
}

/** The browser sorts numbers many times quicker than by a function of ours: what is ours is to find each one's place. */
function byOne(trials: Int32Array, ranks: Float64Array): Int32Array {
  const sorted = ranks.slice().sort();
  const taken = new Int32Array(sorted.length);
  const result = new Int32Array(trials.length);
  for (let at = 0; at < result.length; at++) {
    const first = firstPlace(sorted, ranks[at] ?? 0);
    // equals stand one behind the other, in the order they came
    const place = first + (taken[first] ?? 0);
    taken[first] = place - first + 1;
    result[place] = trials[at] ?? 0;
  }
  return result;
}

function firstPlace(sorted: Float64Array, number: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
