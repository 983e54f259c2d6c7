// Sorts trials by one or more columns, the most important first, each ascending or descending. Missing values are last
// in both directions.

import type { TrialColumn } from "./trials_columns";

export type SortKey = { readonly column: string; readonly down: boolean };

export function sortKey(text: string): SortKey {
  return text.startsWith("-") ? { column: text.slice(1), down: true } : { column: text, down: false };
}

/** Sorts `trials` (indices of trials); the sort is stable. */
export function sortTrials(
  trials: Int32Array,
  keys: readonly { readonly column: TrialColumn; readonly down: boolean }[],
): Int32Array {
  // sort by the least important column first: the sort is stable, so later ones keep that order for equal values
  return keys.reduceRight((sorted, { column, down }) => byOne(sorted, ranks(column.numbers, sorted, down)), trials);
}

/** Returns comparable numbers without NaN: missing values are last. */
function ranks(numbers: Float64Array, trials: Int32Array, down: boolean): Float64Array {
  const result = new Float64Array(trials.length);
  for (let at = 0; at < result.length; at++) {
    const number = numbers[trials[at] ?? 0] ?? Number.NaN;
    // missing values are Infinity, so real infinities are clipped to the largest double
    result[at] = Number.isNaN(number) ? Number.POSITIVE_INFINITY : clip(down ? -number : number);
  }
  return result;
}

function clip(number: number): number {
  if (number === Number.POSITIVE_INFINITY) return Number.MAX_VALUE;
  if (number === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE;
  // −0 becomes 0, because typed arrays sort −0 before 0
  return number === 0 ? 0 : number;
}

/**
 * Sorting a typed array of numbers is much faster than sorting with a comparison function: sort the ranks, then find
 * the index of each trial.
 */
function byOne(trials: Int32Array, ranks: Float64Array): Int32Array {
  const sorted = ranks.slice().sort();
  const taken = new Int32Array(sorted.length);
  const result = new Int32Array(trials.length);
  for (let at = 0; at < result.length; at++) {
    const first = firstPlace(sorted, ranks[at] ?? 0);
    // equal ranks get consecutive indices, in their original order
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
