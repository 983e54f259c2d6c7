import { expect, test } from "vitest";
import type { Histograms, Percentiles } from "../state/spreads";
import type { SeriesSteps, Wholes } from "../state/steps";
import { limitFor, placeOf, stepsWithin, timeAt, withStep } from "./spread_range";

function series(steps: Wholes, walls: readonly number[]): SeriesSteps {
  const none = new Float64Array(0);
  return { steps, walls: Float64Array.from(walls), counts: new Int32Array(0), bytes: none, offsets: none, samples: 0 };
}

const FOUR = series(Float64Array.of(0, 10, 20, 30), [100, 101, 105, 120]);

test("a step has a place on each axis of time", () => {
  expect((["step", "relative", "wall"] as const).map((axis) => timeAt(axis, FOUR, 2))).toEqual([20, 5, 105]);
});

test("steps within a stretch of any axis", () => {
  expect(stepsWithin("step", FOUR, { lo: 5, hi: 20 })).toEqual({ lo: "10", hi: "20", points: 2 });
  expect(stepsWithin("relative", FOUR, { lo: 1, hi: 20 })).toEqual({ lo: "10", hi: "30", points: 3 });
  expect(stepsWithin("wall", FOUR, { lo: 0, hi: 99 })).toBeNull();
});

test("steps with more digits than a double keep them", () => {
  const large = series(BigInt64Array.of(9007199254740993n, 9007199254740995n), [1, 2]);
  expect(stepsWithin("wall", large, { lo: 0, hi: 1.5 })?.lo).toBe("9007199254740993");
  expect(placeOf(large.steps, 9007199254740995n)).toBe(1);
});

test("as many steps as there is room for, in jumps", () => {
  expect([limitFor(100, 4), limitFor(201, 4), limitFor(900, 3), limitFor(1e6, 1)]).toEqual([50, 100, 400, 800]);
});

function histograms(...steps: readonly (readonly [step: number, counts: readonly number[]])[]): Histograms {
  const counts = steps.flatMap(([, own]) => own);
  let total = 0;
  const own = Float64Array.from(steps, ([step]) => step);
  return {
    kind: "histograms",
    exact: own,
    steps: own,
    walls: own,
    odd: 0,
    first: Uint32Array.from([0, ...steps.map(([, of]) => (total += of.length))]),
    lefts: Float64Array.from(counts),
    rights: Float64Array.from(counts),
    counts: Float64Array.from(counts),
  };
}

test("a histogram comes to its place among the others", () => {
  const merged = withStep(histograms([1, [1, 2]], [9, [9]]), histograms([5, [5, 6, 7]]));
  expect(merged).toEqual(histograms([1, [1, 2]], [5, [5, 6, 7]], [9, [9]]));
});

test("first, last, and there already", () => {
  const all = histograms([1, [1]], [9, [9]]);
  expect(withStep(all, histograms([0, [7]]))).toEqual(histograms([0, [7]], [1, [1]], [9, [9]]));
  expect(withStep(all, histograms([10, [7]]))).toEqual(histograms([1, [1]], [9, [9]], [10, [7]]));
  expect(withStep(all, histograms([9, [7]]))).toBe(all);
});

test("percentiles come to their place, too", () => {
  const one = (...steps: readonly number[]): Percentiles => {
    const own = Float64Array.from(steps);
    const values = Float64Array.from(steps.flatMap((step) => [step, step + 0.5]));
    return {
      kind: "percentiles",
      exact: own,
      steps: own,
      walls: own,
      odd: 0,
      lines: 2,
      basisPoints: [0, 10000],
      values,
    };
  };
  expect(withStep(one(1, 3), one(2))).toEqual(one(1, 2, 3));
});
