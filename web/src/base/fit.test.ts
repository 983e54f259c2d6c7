import { expect, test } from "vitest";
import { fitOf } from "./fit";

test("short series and schedules are fitted entirely", () => {
  expect(fitOf([0, 1e9])).toEqual([0, 1e9]);
  const schedule = Array.from({ length: 1000 }, (_, i) => (1 + Math.cos((Math.PI * i) / 999)) / 2);
  expect(fitOf(schedule)).toEqual([0, 1]);
});

test("a spike in a long series is not, unless it is its first or last point", () => {
  const line = Array.from({ length: 1000 }, (_, i) => i);
  line[500] = 1e9;
  expect(fitOf(line)?.[1]).toBeLessThan(1000);
  line[999] = -5000;
  expect(fitOf(line)?.[0]).toBe(-5000);
});

test("rare events and values that are not finite", () => {
  const flags = Array.from({ length: 1000 }, (_, i) => (i === 300 ? 1 : 0));
  expect(fitOf(flags)).toEqual([0, 1]);
  expect(fitOf([Number.NaN, 2, Number.POSITIVE_INFINITY])).toEqual([2, 2]);
  expect(fitOf([Number.NaN])).toBeNull();
});
