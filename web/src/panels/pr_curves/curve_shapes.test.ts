import { expect, test } from "vitest";
import { decodeLayer } from "../../chart/layers";
import type { Curve } from "../../state/pr_curves";
import { areaOf, frameOf, nearestOf, placeOf, pointOf, shapeOf } from "./curve_shapes";

const numbers = (...values: number[]) => Float64Array.from(values);

const CURVE: Curve = {
  place: { run: "a", tag: "pr", step: "3", wall: 1 },
  defined: 2,
  averagePrecision: 0.75,
  rocArea: 0.8,
  bestF1: 0.9,
  bestThreshold: 0.5,
  problem: "",
  threshold: numbers(0, 0.5, 1),
  truePositives: numbers(4, 3, 0),
  falsePositives: numbers(4, 1, 0),
  trueNegatives: numbers(0, 3, 4),
  falseNegatives: numbers(0, 1, 4),
  precision: numbers(0.5, 0.75, 0),
  recall: numbers(1, 0.75, 0),
  truePositiveRate: numbers(1, 0.75, 0.1),
  falsePositiveRate: numbers(1, 0.25, Number.NaN),
  f1: numbers(0.66, 0.75, 0),
};

test("precision ends where nothing is called positive", () => {
  expect(shapeOf(CURVE, "pr")).toEqual([
    { x: 1, y: 0.5 },
    { x: 0.75, y: 0.75 },
  ]);
  expect(pointOf(CURVE, "pr", 2).y).toBeNaN();
  expect(shapeOf(CURVE, "f1")).toHaveLength(3);
});

test("a ROC curve ends at nothing found and nothing mistaken", () => {
  expect(shapeOf(CURVE, "roc")).toEqual([
    { x: 1, y: 1 },
    { x: 0.25, y: 0.75 },
    { x: 0, y: 0 },
  ]);
});

test("a threshold is the nearest one that a curve has", () => {
  expect([0, 0.2, 0.3, 0.74, 1].map((threshold) => placeOf(CURVE, threshold))).toEqual([0, 0, 1, 1, 2]);
  expect(placeOf({ ...CURVE, threshold: numbers() }, 0.5)).toBe(-1);
});

test("what is nearest is told in pixels", () => {
  expect(nearestOf(CURVE, "pr", { x: 0.8, y: 0.75 }, { x: 100, y: 100 })?.at).toBe(1);
  expect(nearestOf(CURVE, "pr", { x: 0.9, y: 0.74 }, { x: 100, y: 1 })?.at).toBe(0);
  expect(nearestOf({ ...CURVE, threshold: numbers() }, "pr", { x: 0, y: 0 }, { x: 1, y: 1 })).toBe(null);
});

test("each view has its area", () => {
  expect((["pr", "roc", "f1"] as const).map((mode) => areaOf(CURVE, mode))).toEqual([0.75, 0.8, 0.9]);
});

test("the chart reads the frame", () => {
  const layer = decodeLayer(1, frameOf([shapeOf(CURVE, "pr"), [], [{ x: 0.25, y: 1 }]]));
  expect(layer.series).toBe(3);
  expect([...layer.points.x]).toEqual([1, 0.75, 0.25]);
  expect([...layer.points.start]).toEqual([0, 2, 2]);
  expect([...layer.points.end]).toEqual([2, 2, 3]);
});
