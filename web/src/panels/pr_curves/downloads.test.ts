import { expect, test } from "vitest";
import type { Curve } from "../../state/pr_curves";
import { csvOf, jsonOf } from "./downloads";

const numbers = (...values: number[]) => Float64Array.from(values);

const CURVE: Curve = {
  place: { run: 'a,"b"', tag: "=pr", step: "9007199254740993", wall: 1.5 },
  defined: 1,
  averagePrecision: 0.5,
  rocArea: null,
  bestF1: 0.5,
  bestThreshold: 0,
  problem: "",
  threshold: numbers(0, 1),
  truePositives: numbers(1, 0),
  falsePositives: numbers(2, 0),
  trueNegatives: numbers(0, 2),
  falseNegatives: numbers(0, 1),
  precision: numbers(0.25, 0),
  recall: numbers(1, 0),
  truePositiveRate: numbers(1, 0),
  falsePositiveRate: numbers(1, Number.NaN),
  f1: numbers(0.5, 0),
};

test("every threshold is a row, names are quoted and no formula", () => {
  const [head, first, second] = csvOf([CURVE]).split("\r\n");
  expect(head).toBe(
    "run,tag,step,wall_time,threshold,true_positives,false_positives,true_negatives,false_negatives,precision,recall,true_positive_rate,false_positive_rate,f1",
  );
  expect(first).toBe(`"a,""b""",'=pr,9007199254740993,1.5,0,1,2,0,0,0.25,1,1,1,0.5`);
  expect(second?.endsWith(",1,0,0,2,1,0,0,0,,0")).toBe(true);
});

test("the document has steps to the last digit and null for what is not defined", () => {
  const [curve] = JSON.parse(jsonOf([CURVE]));
  expect(curve.step).toBe("9007199254740993");
  expect(curve.false_positive_rate).toEqual([1, null]);
  expect(curve.roc_area).toBe(null);
});
