import { expect, test } from "vitest";
import { distinctSteps } from "./distinct_steps";
import { formatStep } from "./step_slider";

test("steps of several series are one rising list", () => {
  expect([
    ...distinctSteps([new Float64Array([0, 10, 20]), new Float64Array([5, 10]), new Float64Array([5, 10])]),
  ]).toEqual([0, 5, 10, 20]);
  expect([...distinctSteps([])]).toEqual([]);
  expect([...distinctSteps([new Float64Array([3, 1, 3])])]).toEqual([1, 3]);
});

test("one long number makes all of them exact", () => {
  const found = distinctSteps([new Float64Array([1]), new BigInt64Array([9007199254740993n])]);
  expect([...found]).toEqual([1n, 9007199254740993n]);
});

test("long steps are legible", () => {
  expect([0, 999, 1000, 9999, 12345, -1234567, 9007199254740993n, undefined].map(formatStep)).toEqual([
    "0",
    "999",
    "1000",
    "9999",
    "12\u2009345",
    "−1\u2009234\u2009567",
    "9\u2009007\u2009199\u2009254\u2009740\u2009993",
    "–",
  ]);
});
