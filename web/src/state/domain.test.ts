import { expect, test } from "vitest";
import type { Lines } from "../api/client";
import { needsExact, union, valueExtent, xDomain, yDomain } from "./domain";

function answer(values: readonly number[], part: "raw" | "smoothed" | undefined = undefined) {
  const [min, low, high, max] = values;
  const extent = { min, low, high, max };
  return { lines: { values: extent, smoothed: null, lo: 0, hi: 10 } as unknown as Lines, part };
}

test("outliers count only when asked for", () => {
  expect(valueExtent([answer([-100, 1, 2, 100])], false, true)).toEqual([1, 2]);
  expect(valueExtent([answer([-100, 1, 2, 100])], false, false)).toEqual([-100, 100]);
});

test("extents of several answers are taken together, faint lines left out", () => {
  expect(valueExtent([answer([0, 1, 2, 3]), answer([0, 4, 5, 6])], false, true)).toEqual([1, 5]);
  expect(valueExtent([answer([0, 1, 2, 3], "raw"), answer([0, 4, 5, 6], "smoothed")], true, true)).toEqual([4, 5]);
});

test("without a finite value there is no extent", () => {
  const nothing = { min: null, low: null, high: null, max: null };
  expect(
    valueExtent([{ lines: { values: nothing, smoothed: null } as unknown as Lines, part: undefined }], false, true),
  ).toBeNull();
  expect(yDomain(null, "linear")).toEqual([0, 1]);
});

test("y is padded to round numbers", () => {
  expect(yDomain([0.1, 0.9], "linear")).toEqual([0, 1]);
  expect(yDomain([5, 5], "linear")).toEqual([2, 8]);
  expect(yDomain([0, 0], "linear")).toEqual([-1, 1]);
});

test("a logarithmic axis never reaches zero", () => {
  const [lo, hi] = yDomain([-3, 100], "log");
  expect(lo).toBeGreaterThan(0);
  expect(hi).toBeGreaterThan(100);
  expect(xDomain([0, 1000], "log")).toEqual([1, 1000]);
  expect(yDomain([-3, -1], "log")).toEqual([0.1, 10]);
});

test("a single step stands in the middle", () => {
  expect(xDomain([7, 7], "linear")).toEqual([6, 8]);
});

test("columns serve until y is zoomed far in", () => {
  expect(needsExact(null, [0, 1], "linear")).toBe(false);
  expect(needsExact([0, 0.5], [0, 1], "linear")).toBe(false);
  expect(needsExact([0, 0.01], [0, 1], "linear")).toBe(true);
  expect(needsExact(null, [0, 1], "log")).toBe(true);
});

test("ranges are joined", () => {
  expect(union([null, [1, 2], [0, 1.5]])).toEqual([0, 2]);
  expect(union([null])).toBeNull();
});
