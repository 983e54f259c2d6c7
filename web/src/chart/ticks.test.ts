import { expect, test } from "vitest";
import type { Language } from "../base/locale";
import { ticksOf } from "./ticks";
import type { Axis } from "./types";

function labels(axis: Partial<Axis>, count = 5, locale: Language = "en"): readonly string[] {
  const whole: Axis = { scale: "linear", lo: 0, hi: 1, format: "number", ...axis };
  return ticksOf(whole, count, locale).map(({ label }) => label);
}

test("numbers of one axis have the same decimals", () => {
  expect(labels({ lo: 0, hi: 1 })).toEqual(["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
  expect(labels({ lo: -0.02, hi: 0.02 })).toEqual(["−0.02", "−0.01", "0.00", "0.01", "0.02"]);
  expect(labels({ lo: 0.99999, hi: 1.00001 }, 2)).toEqual(["0.99999", "1.00000", "1.00001"]);
});

test("very large and small numbers are scientific, with the digits that tell them apart", () => {
  expect(labels({ lo: 2.7e9, hi: 3.3e9 }, 3)).toEqual(["2.8e9", "3e9", "3.2e9"]);
  expect(labels({ lo: 0, hi: 2e-7 }, 4)).toEqual(["0", "5e−8", "1e−7", "1.5e−7", "2e−7"]);
});

test("steps are whole and short", () => {
  expect(labels({ lo: 0, hi: 3, format: "step" }, 10)).toEqual(["0", "1", "2", "3"]);
  expect(labels({ lo: 0, hi: 20000, format: "step" }, 4)).toEqual(["0", "5k", "10k", "15k", "20k"]);
  expect(labels({ lo: 1234500, hi: 1234504, format: "step" }, 2)).toEqual(["1,234,500", "1,234,502", "1,234,504"]);
});

test("durations are counted as people count them", () => {
  expect(labels({ lo: 0, hi: 7200, format: "relative" }, 4)).toEqual(["0", "30m", "1h", "1h 30m", "2h"]);
  expect(labels({ lo: 0, hi: 60, format: "relative" }, 4)).toEqual(["0", "15s", "30s", "45s", "1m"]);
  expect(labels({ lo: 0, hi: 4 * 86400, format: "relative" }, 4)).toEqual(["0", "1d", "2d", "3d", "4d"]);
});

test("logarithmic ticks are powers of ten, finer when there is room", () => {
  expect(labels({ scale: "log", lo: 1e-3, hi: 10 })).toEqual(["0.001", "0.01", "0.1", "1", "10"]);
  expect(labels({ scale: "log", lo: 1, hi: 100 }, 8)).toEqual(["1", "2", "5", "10", "20", "50", "100"]);
  expect(labels({ scale: "log", lo: 1e-20, hi: 1e20 }, 4).length).toBeLessThanOrEqual(5);
  expect(labels({ scale: "log", lo: 2, hi: 2.5 }, 4).length).toBeGreaterThanOrEqual(3);
});

test("symmetric logarithmic ticks have a zero and both sides", () => {
  expect(labels({ scale: "symlog", lo: -1000, hi: 1000 }, 9)).toEqual([
    "−1000",
    "−100",
    "−10",
    "−1",
    "0",
    "1",
    "10",
    "100",
    "1000",
  ]);
});

test("an axis that cannot be drawn has ticks all the same", () => {
  for (const scale of ["linear", "log", "symlog"] as const) {
    for (const [lo, hi] of [
      [Number.NaN, 1],
      [5, 5],
      [0, 0],
      [7, -3],
      [-5, -5],
      [Number.NEGATIVE_INFINITY, 0],
    ] as const) {
      const found = ticksOf({ scale, lo, hi, format: "number" }, 5, "en");
      expect(found.length, `${scale} ${lo} ${hi}`).toBeGreaterThan(0);
      expect(found.every(({ value }) => Number.isFinite(value))).toBe(true);
    }
  }
});

test("hours tell their day once, in the language of the page", () => {
  const noon = new Date(2026, 2, 14, 12).getTime() / 1000;
  const axis: Axis = { scale: "linear", lo: noon, hi: noon + 24 * 3600, format: "wall" };
  const english = ticksOf(axis, 4, "en");
  expect(english.map(({ label }) => label)).toEqual(["12:00", "18:00", "00:00", "06:00", "12:00"]);
  expect(english.map(({ context }) => context)).toEqual(["Mar 14", "", "Mar 15", "", ""]);
  expect(ticksOf(axis, 4, "zh").map(({ context }) => context)).toEqual(["3月14日", "", "3月15日", "", ""]);
});

test("days tell their year, years nothing more", () => {
  const start = new Date(2025, 11, 30).getTime() / 1000;
  const days = ticksOf({ scale: "linear", lo: start, hi: start + 4 * 86400, format: "wall" }, 4, "en");
  expect(days.map(({ label }) => label)).toEqual(["Dec 30", "Dec 31", "Jan 1", "Jan 2", "Jan 3"]);
  expect(days.map(({ context }) => context)).toEqual(["2025", "", "2026", "", ""]);
  const years = ticksOf({ scale: "linear", lo: 1e9, hi: 1.3e9, format: "wall" }, 4, "en");
  expect(years.map(({ label, context }) => label + context)).toEqual(["2002", "2004", "2006", "2008", "2010"]);
});
