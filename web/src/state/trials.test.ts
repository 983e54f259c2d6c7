import { expect, test } from "vitest";
import { encodeFrame } from "../base/frame";
import { decodeTrials } from "./trials";
import { cellOf, metricId, splitMetric } from "./trials_columns";

const header = {
  version: 7,
  unchanged: false,
  total: 3,
  name: ["", "group", ""],
  runs: ["a", "b/1", "b/2", "c"],
  hparams: [
    { name: "lr", display: "Learning rate", description: "", kind: "number", differs: true, domain: null, values: [] },
    {
      name: "优化器",
      display: "",
      description: "",
      kind: "text",
      differs: true,
      domain: null,
      values: ["sgd", "adam"],
    },
    { name: "norm", display: "", description: "", kind: "bool", differs: false, domain: null, values: [] },
  ],
  metrics: [{ tag: "loss", group: "validation", display: "", description: "", goal: "min", declared: true, trials: 2 }],
  other_hparams: [],
  other_metrics: [{ tag: "f1", group: "", sessions: 2 }],
  statuses: ["unknown", "success", "failure", "running"],
  sources: [],
  reasons: ["", "never_logged"],
  hparam_reasons: ["", "not_given"],
  absent: [{ run: "d", reason: "no_hparams", detail: "" }],
  absent_total: 1,
  aggregate: "last",
  repeats: "group",
  spread: "mean",
  experiment: "",
  description: "",
};

function frame(): ArrayBuffer {
  const numbers = (...values: number[]): Float64Array => Float64Array.from(values);
  return encodeFrame(header, {
    sessions: numbers(1, 2, 1),
    start: numbers(10, 20, Number.NaN),
    end: numbers(15, 26, Number.NaN),
    status: numbers(1, 2, 0),
    "hparam.0": numbers(0.1, 0.01, Number.NaN),
    "hparam.1": numbers(0, 1, -1),
    "hparam.2": numbers(1, 0, -1),
    "why.hparam.0": numbers(0, 0, 1),
    "value.0": numbers(0.5, 0.4, Number.NaN),
    "step.0": numbers(100, 100, -1),
    "why.0": numbers(0, 0, 1),
    "deviation.0": numbers(Number.NaN, 0.1, Number.NaN),
  });
}

test("an answer becomes columns with names, values and reasons", () => {
  const trials = decodeTrials(frame());
  expect(trials.names).toEqual(["a", "group", "c"]);
  expect(trials.runs).toEqual([["a"], ["b/1", "b/2"], ["c"]]);
  expect(trials.repeated).toBe(true);
  const cells = (id: string) => {
    const column = trials.byId.get(id);
    return column === undefined ? null : [0, 1, 2].map((trial) => cellOf(column, trial));
  };
  expect(cells("hparam:lr")).toEqual([0.1, 0.01, null]);
  expect(cells("hparam:优化器")).toEqual(["sgd", "adam", null]);
  expect(cells("hparam:norm")).toEqual([true, false, null]);
  expect(cells("metric@validation:loss")).toEqual([0.5, 0.4, null]);
  expect(cells("duration")).toEqual([5, 6, null]);
  expect(cells("status")).toEqual([1, 2, 0]);
  const [lr, loss] = [trials.byId.get("hparam:lr"), trials.byId.get("metric@validation:loss")];
  if (lr === undefined || loss === undefined) throw new Error("columns are missing");
  expect(lr.title).toBe("Learning rate");
  expect(loss.title).toBe("validation/loss");
  expect(trials.reasonOf(lr, 2)).toBe("not_given");
  expect(trials.reasonOf(loss, 2)).toBe("never_logged");
  expect(trials.reasonOf(loss, 0)).toBe("");
  expect(trials.deviationOf(loss, 1)).toBe(0.1);
  expect(trials.otherMetrics).toEqual(["metric:f1"]);
});

test("metrics are named with the place they lie in", () => {
  expect(splitMetric("metric@validation:a:b")).toEqual({ group: "validation", tag: "a:b" });
  for (const group of ["a:b", "50%", "a%3Ab:", "验证:集"]) {
    expect(splitMetric(metricId("x:y", group))).toEqual({ group, tag: "x:y" });
  }
  expect(splitMetric("metric:train/loss")).toEqual({ group: "", tag: "train/loss" });
});
