import { expect, test } from "vitest";
import { axisOf } from "../../state/trials_scales";
import { column } from "../../state/trials_test_data";
import { brushOf, joined, stretchesOf } from "./brushing";
import { changed } from "./parallel_axis";

const accuracy = axisOf(column("metric:accuracy", [0.123456, 0.5, 0.987654], { role: "metric" }), "linear");
const opt = axisOf(column("hparam:opt", [0, 1, 2], { kind: "text", texts: ["a", "b", "c"] }), "linear");

test("a brush to the end of an axis keeps the best trial", () => {
  const brush = brushOf(accuracy, [[0.5, 1]]);
  expect(brush?.ranges?.[0]?.[1]).toBe(0.987654);
  expect(String(brush?.ranges?.[0]?.[0]).length).toBeLessThan(8);
});

test("a brush of texts is the texts it covers", () => {
  expect(brushOf(opt, [[0.3, 1]])).toEqual({ values: ["b", "c"] });
  expect(brushOf(opt, [[0.34, 0.36]])).toBeNull();
  const [[lo, hi] = [0, 0]] = stretchesOf(opt, { values: ["b", "c"] });
  expect([lo, hi].map((one) => Math.round(one * 100))).toEqual([33, 100]);
});

test("stretches are drawn where they were brushed", () => {
  const drawn = stretchesOf(
    accuracy,
    brushOf(accuracy, [
      [0.2, 0.4],
      [0.6, 0.7],
    ]) ?? undefined,
  );
  expect(drawn.flat().map((one) => Math.round(one * 100))).toEqual([20, 40, 60, 70]);
  expect(stretchesOf(accuracy, undefined)).toEqual([]);
});

test("stretches that touch are one", () => {
  expect(
    joined([
      [0, 0.3],
      [0.2, 0.4],
      [0.6, 0.7],
    ]),
  ).toEqual([
    [0, 0.4],
    [0.6, 0.7],
  ]);
});

test("a stretch is made, moved, or dragged at its ends", () => {
  expect(changed(undefined, 0.7, 0.2, 0.01)).toEqual([0.2, 0.7]);
  expect(changed([0.2, 0.4], 0.4, 0.1, 0.01)).toEqual([0.1, 0.2]);
  expect(changed([0.2, 0.4], 0.2, 0.3, 0.01)).toEqual([0.3, 0.4]);
  expect(changed([0.25, 0.5], 0.375, 2, 0.01)).toEqual([0.75, 1]);
});
