// Tests how durations are read, written and compared with the admin's bounds.

import { expect, test } from "vitest";
import { isWithin, parseDuration, writeDuration } from "./durations";

test.each([
  ["90s", 90],
  ["45m", 2700],
  ["1h30m", 5400],
  ["1h 30 min", 5400],
  ["7d", 604_800],
  ["1w", 604_800],
  ["1.5h", 5400],
  ["Never", 0],
])("%s is %s seconds", (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
});

test.each(["", "h", "1x", "30m1h", "1h1h", "-5m", "0s", "99999d", "5"])("%s is not a duration", (text) => {
  expect(parseDuration(text)).toBe(null);
});

test.each([60, 5400, 86_400, 90_061])("%s is written as it is read", (seconds) => {
  expect(parseDuration(writeDuration(seconds))).toBe(seconds);
});

test("never is longer than every bound", () => {
  expect(isWithin(0, { least: 60, most: 3600 })).toBe(false);
  expect(isWithin(0, { least: 60, most: null })).toBe(true);
  expect(isWithin(0, { least: null, most: 0 })).toBe(true);
  expect(isWithin(30, { least: 60, most: null })).toBe(false);
  expect(isWithin(60, { least: 60, most: 60 })).toBe(true);
});
