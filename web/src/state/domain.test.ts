import { expect, test } from "vitest";
import type { Lines } from "../api/client";
import { needsExact, union, valueExtent, xDomain, yDomain } from "./domain";

type Values = readonly [min: number | null, low: number | null, high: number | null, max: number | null];

function extentOf([min, low, high, max]: Values) {
  return { min, low, high, max };
}

function answer(values: Values, smoothed: Values | null = null, part: "raw" | "smoothed" | undefined = undefined) {
  const found = { values: extentOf(values), smoothed: smoothed && extentOf(smoothed), lo: 0, hi: 10 };
  return { lines: found as unknown as Lines, part };
}

const RAW = { smoothed: false, faint: true, ignoreOutliers: true };
const SMOOTHED = { smoothed: true, faint: true, ignoreOutliers: true };
const NOTHING: Values = [null, null, null, null];

test("outliers count only when asked for", () => {
  expect(valueExtent([answer([-100, 1, 2, 100])], RAW)).toEqual([1, 2]);
  expect(valueExtent([answer([-100, 1, 2, 100])], { ...RAW, ignoreOutliers: false })).toEqual([-100, 100]);
});

test("extents of several answers are taken together", () => {
  expect(valueExtent([answer([0, 1, 2, 3]), answer([0, 4, 5, 6])], RAW)).toEqual([1, 5]);
});

test("y fits the raw values as well as the smoothed ones", () => {
  const both = answer([0, 0, 1, 1], [0.2, 0.2, 0.8, 0.8]);
  expect(valueExtent([both], SMOOTHED)).toEqual([0, 1]);
  expect(valueExtent([both], { ...SMOOTHED, faint: false })).toEqual([0.2, 0.8]);
  const parts = [answer([0, 0, 1, 1], [5, 5, 6, 6], "raw"), answer([7, 7, 8, 8], [0.5, 0.5, 1.5, 1.5], "smoothed")];
  expect(valueExtent(parts, SMOOTHED)).toEqual([0, 1.5]);
});

test("without a finite value there is no extent", () => {
  expect(valueExtent([answer(NOTHING)], RAW)).toBeNull();
  expect(valueExtent([answer(NOTHING, [1, 1, 2, 2])], SMOOTHED)).toEqual([1, 2]);
  expect(yDomain(null, "linear")).toEqual([0, 1]);
});

test("a line at its highest value does not run along the frame", () => {
  for (const [lo, hi] of [
    [0.5, 1],
    [0, 1],
    [0.97, 1],
    [-3, 1],
  ] as const) {
    const [from, to] = yDomain([lo, hi], "linear");
    expect(to - hi).toBeGreaterThanOrEqual(0.04 * (hi - lo));
    expect(lo - from).toBeGreaterThanOrEqual(0.04 * (hi - lo));
  }
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
