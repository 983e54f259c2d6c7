// Converts histograms with any bins to histograms with even bins. The count of a bucket is distributed evenly between
// its edges.

export type Buckets = {
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
  readonly counts: Float64Array;
};

export type Stretch = { readonly lo: number; readonly hi: number };

// the difference of two values must be finite, too
const LARGEST = Number.MAX_VALUE / 4;

/** Returns the lowest left and the highest right edge, without infinite edges; null if there are none. */
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

/** Adds space on both sides of a range that is a single value, as much as TensorBoard does. */
export function widened({ lo, hi }: Stretch): Stretch {
  if (hi > lo) return { lo, hi };
  return lo >= 0 ? { lo: lo / 1.1 - 1, hi: hi * 1.1 + 1 } : { lo: lo * 1.1 - 1, hi: hi / 1.1 + 1 };
}

/**
 * Adds the buckets from `from` to `to` to `bins` even bins over the range; the bins are in `into` from index `at` on.
 * Edges outside of `ends`, also infinite ones, are clamped to it.
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
    // not `count <= 0`: NaN is skipped as well
    if (!(count > 0)) continue;
    const left = Math.max(ends.lo, lefts[i] ?? 0);
    const right = Math.min(ends.hi, rights[i] ?? 0);
    if (!(right > left)) {
      // the whole count is at one value; the last bin includes its right edge
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
