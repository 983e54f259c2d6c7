import { expect, test } from "vitest";
import { fitNumber, formatAge, formatBytes, formatDelta, formatPercent } from "./format";

test("differences carry their sign and need two numbers", () => {
  expect(formatDelta(0.5, 0.4)).toBe("+0.1");
  expect(formatDelta(0.4, 0.5)).toBe("−0.1");
  expect(formatDelta(1, 1)).toBe("±0");
  expect(formatDelta(Number.NaN, 1)).toBe("");
  expect(formatDelta(null, 1)).toBe("");
  expect(formatPercent(1.5, -1)).toBe("+250 %");
  expect(formatPercent(1, 0)).toBe("");
});

test("a narrow cell first loses digits after the point, then the difference, never the first digits", () => {
  const value = 6.8539e-9;
  expect(fitNumber(value, 1e-9, 200)).toEqual({ text: "6.8539e−9", delta: "+5.85e−9" });
  expect(fitNumber(value, 1e-9, 145)).toEqual({ text: "6.854e−9", delta: "+5.85e−9" });
  expect(fitNumber(value, 1e-9, 84)).toEqual({ text: "6.8539e−9", delta: "" });
  expect(fitNumber(value, null, 60)).toEqual({ text: "6.85e−9", delta: "" });
  expect(fitNumber(value, null, 10)).toEqual({ text: "7e−9", delta: "" });
  // integers keep all digits
  expect(fitNumber(123456, null, 20).text).toBe("123456");
});

test("ages are told in their largest unit", () => {
  expect(formatAge(100, 103)).toBe("3 seconds ago");
  expect(formatAge(0, 7300)).toBe("2 hours ago");
  expect(formatAge(0, 86_400 * 400)).toBe("last year");
  // a time in the future: clocks differ
  expect(formatAge(110, 100)).toBe("now");
});

test("sizes have three digits", () => {
  expect([formatBytes(999), formatBytes(1234), formatBytes(5.31e8)]).toEqual(["999 B", "1.23 kB", "531 MB"]);
});
