import { expect, test } from "vitest";
import { type Buckets, edgesOf, rebin, widened } from "./rebin";

function buckets(...rows: readonly (readonly [number, number, number])[]): Buckets {
  const column = (at: 0 | 1 | 2): Float64Array => Float64Array.from(rows, (row) => row[at]);
  return { lefts: column(0), rights: column(1), counts: column(2) };
}

function binned(given: Buckets, bins: number, stretch = edgesOf(given) ?? { lo: 0, hi: 1 }): readonly number[] {
  const into = new Float64Array(bins);
  rebin(given, [0, given.counts.length], stretch, edgesOf(given) ?? stretch, bins, into, 0);
  return [...into];
}

test("a bucket's count is spread evenly between its edges", () => {
  expect(binned(buckets([0, 4, 8], [4, 6, 6]), 3)).toEqual([4, 4, 6]);
});

test("nothing is lost, however buckets and bins lie", () => {
  const given = buckets([-3, -1.7, 11], [-1.7, 0.001, 5], [0.001, 0.002, 100], [0.002, 9, 1]);
  const sum = binned(given, 30).reduce((a, b) => a + b);
  expect(sum).toBeCloseTo(117, 9);
});

test("a bucket without width goes to the bin it lies in; the last bin has its right edge", () => {
  expect(binned(buckets([0, 2, 0], [1, 1, 5], [2, 2, 7]), 2)).toEqual([0, 12]);
});

test("of a narrower stretch only what lies in it is counted", () => {
  expect(binned(buckets([0, 10, 100]), 2, { lo: 4, hi: 5 })).toEqual([5, 5]);
});

test("endless edges and counts that are no numbers do no harm", () => {
  const given = buckets([-Infinity, 0, 3], [0, 1, 4], [1, 2, Number.NaN], [2, Infinity, 5], [1, 1, -3]);
  expect(edgesOf(given)).toEqual({ lo: 0, hi: 2 });
  expect(binned(given, 2)).toEqual([7, 5]);
});

test("the largest numbers are no trouble", () => {
  const given = buckets([-1.7e308, 1.7e308, 6]);
  const stretch = edgesOf(given) ?? { lo: 0, hi: 0 };
  expect(stretch.hi - stretch.lo).toBeLessThan(Infinity);
  expect(binned(given, 3)).toEqual([2, 2, 2]);
});

test("no edges, no stretch", () => {
  expect(edgesOf(buckets())).toBeNull();
  expect(edgesOf(buckets([Number.NaN, Infinity, 1]))).toBeNull();
});

test("a single value has room on both sides", () => {
  for (const value of [0, 3, -3]) {
    const { lo, hi } = widened({ lo: value, hi: value });
    expect(lo).toBeLessThan(value);
    expect(hi).toBeGreaterThan(value);
  }
  expect(widened({ lo: 1, hi: 2 })).toEqual({ lo: 1, hi: 2 });
});
