// Histograms with even bins out of histograms with any: what a bucket counts lies evenly between its edges.

export type Buckets = {
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
  readonly counts: Float64Array;
};

export type Stretch = { readonly lo: number; readonly hi: number };

// the distance between two values must be a number, too
const LARGEST = Number.MAX_VALUE / 4;

/** Lowest left and highest right edge of some histograms, endless edges left out; null where there are none. */
export function edgesOf({ lefts, rights }: Buckets): Stretch | null {
  let lo = Number.POSITIVE_INFINITY;
  let hi = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < lefts.length; i++) {
    for (const edge of [lefts[i] ?? Number.NaN, rights[i] ?? Number.NaN]) {
      if (!Number.isFinite(edge)) continue;
      if (edge < lo) lo = edge;
      if (edge > hi) hi = edge;
    }
  }
  return lo <= hi ? { lo: Math.max(lo, -LARGEST), hi: Math.min(hi, LARGEST) } : null;
}

/** One value alone gets some room on both sides, as much as TensorBoard gives it. */
export function widened({ lo, hi }: Stretch): Stretch {
  if (hi > lo) return { lo, hi };
  return lo >= 0 ? { lo: lo / 1.1 - 1, hi: hi * 1.1 + 1 } : { lo: lo * 1.1 - 1, hi: hi / 1.1 + 1 };
}

/**
 * Adds the buckets from `from` to `to` to `bins` even bins over the stretch; they stand in `into` from `at` on. Edges
 * beyond `ends`, endless ones too, count as its ends.
 */
export function rebin(
  { lefts, rights, counts }: Buckets,
  [from, to]: readonly [number, number],
  stretch: Stretch,
  ends: Stretch,
  bins: number,
  into: Float64Array,
  at: number,
): void {
  const width = (stretch.hi - stretch.lo) / bins;
  const binOf = (value: number): number => Math.floor((value - stretch.lo) / width);
  for (let i = from; i < to; i++) {
    const count = counts[i] ?? 0;
    // Not greater than: NaN is left out as well
    if (!(count > 0)) continue;
    const left = Math.max(ends.lo, lefts[i] ?? 0);
    const right = Math.min(ends.hi, rights[i] ?? 0);
    if (!(right > left)) {
      // all of it at one value; the last bin has its right edge, too
      const value = Math.min(left, right);
      if (!(value >= stretch.lo && value <= stretch.hi)) continue;
      const bin = at + Math.min(bins - 1, binOf(value));
      into[bin] = (into[bin] ?? 0) + count;
      continue;
    }
    const first = Math.max(0, binOf(left));
    const last = Math.min(bins - 1, binOf(right));
    for (let bin = first; bin <= last; bin++) {
      const edge = stretch.lo + bin * width;
      const shared = Math.min(right, edge + width) - Math.max(left, edge);
      if (shared > 0) into[at + bin] = (into[at + bin] ?? 0) + count * (shared / (right - left));
    }
  }
}
