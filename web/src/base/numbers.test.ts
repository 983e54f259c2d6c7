import { expect, test } from "vitest";
import { formatCount, formatDuration, formatNumber } from "./numbers";

test("numbers have four significant digits", () => {
  const wanted: readonly (readonly [number, string])[] = [
    [0, "0"],
    [1, "1"],
    [0.123456, "0.1235"],
    [-2.5, "−2.5"],
    [1234.5, "1235"],
    [12345, "12345"],
    [999999, "999999"],
    [0.0001, "0.0001"],
  ];
  for (const [value, text] of wanted) expect(formatNumber(value)).toBe(text);
});

test("outside of 1e-4 to 1e6 they are scientific", () => {
  expect(formatNumber(1e6)).toBe("1e6");
  expect(formatNumber(-12345678)).toBe("−1.235e7");
  expect(formatNumber(0.000012)).toBe("1.2e−5");
  expect(formatNumber(5e-324)).toBe("4.941e−324");
  expect(formatNumber(1.7976931348623157e308)).toBe("1.798e308");
});

test("what is no number says so", () => {
  expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => formatNumber(value))).toEqual([
    "NaN",
    "∞",
    "−∞",
  ]);
  expect(formatCount(Number.NaN)).toBe("NaN");
  expect(formatDuration(Number.POSITIVE_INFINITY)).toBe("∞");
});

test("counts have a letter for thousands and millions", () => {
  expect([0, 7, 950, 1500, 12_000_000, -3_400, 999_999_999].map((value) => formatCount(value))).toEqual([
    "0",
    "7",
    "950",
    "1.5k",
    "12M",
    "−3.4k",
    "1G",
  ]);
});

test("durations are hours, minutes and seconds", () => {
  const wanted: readonly (readonly [number, string])[] = [
    [0, "0"],
    [0.25, "250ms"],
    [0.0000042, "4.2µs"],
    [3.21, "3.2s"],
    [42, "42s"],
    [59.97, "1m 00s"],
    [200, "3m 20s"],
    [3800, "1h 03m 20s"],
    [86400 * 2 + 4 * 3600 + 59, "2d 04h"],
    [-200, "−3m 20s"],
  ];
  for (const [seconds, text] of wanted) expect(formatDuration(seconds)).toBe(text);
});

test("ticks leave out the parts they do not need", () => {
  expect(formatDuration(3600, 1800)).toBe("1h");
  expect(formatDuration(3660, 60)).toBe("1h 01m");
  expect(formatDuration(7200, 3600)).toBe("2h");
  expect(formatDuration(1800, 1800)).toBe("30m");
  expect(formatDuration(0.5, 0.1)).toBe("500ms");
});
