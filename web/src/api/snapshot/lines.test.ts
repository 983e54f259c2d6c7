import { describe, expect, it } from "vitest";
import { decodeFrame, type Frame } from "../../base/frame";
import type { Lines, ScalarsQuestion } from "../types";
import { chartOf, NotRecorded, nearestOf, rangeOf, rowsOf } from "./charts";
import { interleaved, type TagLines } from "./lines";
import { movingAverage, smoothedOf } from "./smoothing";

const LOSS: TagLines = {
  tag: "loss",
  runs: ["a", "b"],
  points: [4, 9],
  start: [0, 4, 7],
  step: Float64Array.of(0, 1, 2, 3, 0, 4, 8),
  wall: Float64Array.of(100, 101, 102, 103, 200, 204, 208),
  value: Float64Array.of(4, 3, Number.NaN, 1, 8, 6, 7),
  smoothed: Float64Array.of(4, 3.5, Number.NaN, 2, 8, 7, 7.5),
  smoothing: "ema:0.6",
};

function chart(question: Partial<ScalarsQuestion>): Frame<Lines> {
  return decodeFrame<Lines>(chartOf({ tag: ["loss"], ...question }, [LOSS], 5));
}

describe("charts from recorded points", () => {
  it("have the recorded points and the extents of the range", () => {
    const { header, arrays } = chart({});
    expect(header.runs).toEqual(["a", "b"]);
    expect(header.kept).toEqual([4, 3]);
    expect(header.points).toEqual([4, 9]);
    expect([header.lo, header.hi]).toEqual([0, 8]);
    expect([header.values.min, header.values.max]).toEqual([1, 8]);
    expect(arrays.get("value")).toEqual(LOSS.value);
    expect(arrays.get("step")).toEqual(LOSS.step);
  });

  it("have only the asked runs, in their order", () => {
    const { header, arrays } = chart({ run: ["b", "unknown"] });
    expect(header.runs).toEqual(["b"]);
    expect(arrays.get("value")).toEqual(Float64Array.of(8, 6, 7));
  });

  it("answer a zoom with the same points and the extent of the range", () => {
    const { header, arrays } = chart({ run: ["a"], lo: 0, hi: 1 });
    expect(arrays.get("step")?.length).toBe(4);
    expect([header.lo, header.hi, header.values.min, header.values.max]).toEqual([0, 1, 3, 4]);
  });

  it("measure relative time from the first point of each run", () => {
    expect(chart({ x: "relative" }).arrays.get("x")).toEqual(Float64Array.of(0, 1, 2, 3, 0, 4, 8));
  });

  it("use the recorded smoothing as it is", () => {
    expect(chart({ smoothing: "ema:0.6" }).arrays.get("smoothed")).toEqual(LOSS.smoothed);
  });

  it("refuse what they cannot know", () => {
    expect(() => chart({ smoothing: "median:21" })).toThrow(NotRecorded);
    expect(() => chart({ x: "metric:epoch" })).toThrow(NotRecorded);
    expect(() => chart({ group: "hparam:lr" })).toThrow(NotRecorded);
  });
});

describe("smoothing of recorded points", () => {
  const [a, b] = [
    { of: LOSS, run: "a", from: 0, to: 4 },
    { of: LOSS, run: "b", from: 4, to: 7 },
  ];

  it("is exact if all points are recorded", () => {
    const expected = movingAverage(LOSS.value.subarray(0, 4), 0.9);
    expect(smoothedOf(a, "ema:0.9")).toEqual(expected);
    expect(expected[0]).toBe(4);
    expect(expected[1]).toBeCloseTo((0.9 * 0.1 * 4 + 0.1 * 3) / (1 - 0.81), 12);
    expect(expected[2]).toBeNaN();
  });

  it("gives a point the weight of those left out", () => {
    expect(smoothedOf(b, "ema:0.9")).toEqual(movingAverage(LOSS.value.subarray(4, 7), 0.9 ** 4));
  });
});

describe("exact values", () => {
  it("are those of the nearest point", () => {
    const found = nearestOf({ tag: ["loss"], at: [2.4], smoothing: "ema:0.6" }, [LOSS], 5);
    expect(found.run).toEqual(["a", "b"]);
    expect(found.step).toEqual([2, 4]);
    expect(found.value).toEqual(["NaN", 6]);
    expect(found.smoothed).toEqual(["NaN", 7]);
    expect(found.relative).toEqual([2, 4]);
  });

  it("are summed up over a range", () => {
    const { min, max, mean, first_step, points } = rangeOf({ tag: ["loss"], lo: 1, hi: 4 }, LOSS, ["a", "b", "c"]);
    expect(min).toEqual([1, 6, null]);
    expect(max).toEqual([3, 6, null]);
    expect(mean).toEqual([2, 6, null]);
    expect(first_step).toEqual([1, 4, null]);
    expect(points).toEqual([3, 1, null]);
  });
});

it("rows of a table are those with a value, sorted", () => {
  const cells = { first: [1, 2, null], last: [5, 9, null], min: [], max: [], last_step: [], points: [3, 3, null] };
  const table = { run: ["a", "b", "c"], tags: { loss: cells } };
  expect(rowsOf({ tag: ["loss"] }, table)).toEqual([0, 1]);
  expect(rowsOf({ tag: ["loss"], sort: "-last(loss)" }, table)).toEqual([1, 0]);
  expect(rowsOf({ tag: ["loss"], run: ["b", "c"] }, table)).toEqual([1]);
});

it("byte planes become numbers", () => {
  expect([...new Uint16Array(interleaved(Uint8Array.of(1, 2, 3, 0, 1, 0), 3))]).toEqual([1, 258, 3]);
});
