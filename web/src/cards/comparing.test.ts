import { expect, test } from "vitest";
import type { SeriesSteps } from "../state/steps";
import { anotherStep, otherIn, withChoice } from "./comparing";

// panels/images/comparing.ts uses these for the first and last point of a series
const FIRST_STEP = "-9223372036854775808";
const NEWEST_STEP = "9223372036854775807";

function series(...steps: readonly number[]): SeriesSteps {
  const none = new Float64Array(steps.length);
  const counts = new Int32Array(steps.length).fill(1);
  return { steps: Float64Array.from(steps), walls: none, counts, bytes: none, offsets: none, samples: 1 };
}

const held = new Map([
  ["a", series(0, 10, 20)],
  ["b", series(5, 15)],
  ["empty", series()],
]);
const own = { step: "20", at: 2 };

test("the other picture is of the step of the card, or the last one before it", () => {
  expect(otherIn(held, { run: "a" }, own, { run: "b", step: "" })).toMatchObject({ run: "b", at: 1, follows: true });
});

test("the first and the newest step are found in any series", () => {
  expect(otherIn(held, { run: "a" }, own, { run: null, step: FIRST_STEP })).toMatchObject({ run: "a", at: 0 });
  expect(otherIn(held, { run: "b" }, { step: "5", at: 0 }, { run: "a", step: NEWEST_STEP })).toMatchObject({ at: 2 });
});

test("a picture is not compared with itself, nor with nothing", () => {
  expect(otherIn(held, { run: "a" }, own, { run: "a", step: "" })).toMatchObject({ same: true });
  expect(otherIn(held, { run: "a" }, own, { run: "empty", step: "" })).toBe(null);
  expect(otherIn(held, { run: "a" }, own, { run: "gone", step: "" })).toBe(null);
  expect(otherIn(null, { run: "a" }, own, { run: "b", step: "" })).toBe(null);
});

test("a card that shows the first step is compared with the newest, any other with the first", () => {
  expect(anotherStep(series(0, 10, 20), 0)).toBe("20");
  expect(anotherStep(series(0, 10, 20), 2)).toBe("0");
  expect(anotherStep(series(), 0)).toBe("");
});

test("a choice replaces that of the same card and leaves others alone", () => {
  const before = { a: { run: "r", step: "" }, b: { run: null, step: "3" } };
  expect(withChoice(before, "a", { run: "s", step: "1" })).toEqual({ ...before, a: { run: "s", step: "1" } });
  expect(withChoice(before, "a", null)).toEqual({ b: before.b });
});
