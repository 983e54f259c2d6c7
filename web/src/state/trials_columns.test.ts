import { expect, test } from "vitest";
import { cellOf, distinct, dullness, extentOf, isDiscrete, metricId, numberOf, orderedTexts } from "./trials_columns";
import { column } from "./trials_test_data";

test("texts are numbered in natural order, and what is absent is no number", () => {
  const { numbers, texts } = orderedTexts([0, 1, -1, 2], ["net10", "net9", "网络"]);
  expect(texts).toEqual(["net9", "net10", "网络"]);
  expect([...numbers]).toEqual([1, 0, Number.NaN, 2]);
});

test("a cell is the value that was logged", () => {
  const text = column("hparam:opt", [1, Number.NaN], { kind: "text", texts: ["adam", "sgd"] });
  expect([cellOf(text, 0), cellOf(text, 1)]).toEqual(["sgd", null]);
  const truth = column("hparam:norm", [1, 0], { kind: "bool" });
  expect([cellOf(truth, 0), cellOf(truth, 1)]).toEqual([true, false]);
  expect(numberOf(truth, "true")).toBe(1);
  expect(numberOf(text, "adam")).toBe(0);
  expect(numberOf(text, "gone")).toBeNaN();
});

test("values are few, or they are an interval", () => {
  const numbers = Float64Array.from([3, 1, 3, Number.NaN, 2]);
  expect(distinct(numbers, 5)).toEqual([1, 2, 3]);
  expect(distinct(numbers, 2)).toBeNull();
  expect(extentOf(Float64Array.from([1, Number.POSITIVE_INFINITY, -2]))).toEqual([-2, 1]);
  expect(extentOf(Float64Array.from([Number.NaN]))).toBeNull();
  expect(isDiscrete(column("hparam:units", [128, 256]))).toBe(true);
  expect(isDiscrete(column("metric:loss", [1, 2], { role: "metric" }))).toBe(false);
  const declared = { kind: "interval", lo: 0, hi: 1 } as const;
  expect(isDiscrete(column("hparam:dropout", [0.1, 0.5], { domain: declared }))).toBe(false);
});

test("a metric of a group has a name of its own", () => {
  expect(metricId("loss", "")).toBe("metric:loss");
  expect(metricId("loss", "validation")).toBe("metric@validation:loss");
});

test("columns that colours would tell nothing of are known", () => {
  expect(dullness(column("a", [Number.NaN, Number.NaN]))).toBe("empty");
  expect(dullness(column("a", [2, Number.NaN, 2]))).toBe("constant");
  expect(dullness(column("a", [2, 3]))).toBeNull();
});
