import { expect, test } from "vitest";
import { firstPace, nextPace, strideOf } from "./host_pace";

test("a picture in time lets more points be drawn, a slow one fewer, by bounded steps", () => {
  const pace = firstPace(false);
  expect(nextPace(pace, 13, 1e6, false).points).toBeCloseTo(1.4 * pace.points);
  expect(nextPace(pace, 26, 1e6, false).points).toBe(pace.points);
  expect(nextPace(pace, 1000, 1e6, false).points).toBe(0.5 * pace.points);
});

test("there are never fewer than 8000 points, nor more than there are", () => {
  expect(nextPace({ points: 9000, most: Number.POSITIVE_INFINITY }, 1000, 1e6, false).points).toBe(8000);
  expect(nextPace({ points: 9000, most: Number.POSITIVE_INFINITY }, 1, 10_000, false).points).toBe(10_000);
});

test("a GPU that fell behind gets fewer points for good", () => {
  const behind = nextPace(firstPace(true), 5, 2e6, true);
  expect(behind).toEqual({ points: 750_000, most: 750_000 });
  expect(nextPace(behind, 1, 2e6, false).points).toBe(750_000);
});

test("every point is drawn when there are few", () => {
  expect(strideOf(firstPace(false), 1000)).toBe(1);
  expect(strideOf(firstPace(false), 250_000)).toBe(3);
});
