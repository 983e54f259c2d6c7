import { beforeAll, expect, test } from "vitest";
import { encodeFrame } from "../base/frame";
import { curvesIn } from "./pr_curves";
import { loadSentences } from "./sentences";

beforeAll(loadSentences);

const NAMES = [
  "threshold",
  "true_positives",
  "false_positives",
  "true_negatives",
  "false_negatives",
  "precision",
  "recall",
  "true_positive_rate",
  "false_positive_rate",
  "f1",
];

test("curves of an answer have their stretch of every array", () => {
  const told = { average_precision: 0.5, roc_area: null, best_f1: 0.25, best_threshold: 1, defined: 1, problem: null };
  const header = {
    version: 1,
    curves: [
      { run: "a", tag: "pr", step: 1, wall_time: 2, first: 0, thresholds: 2, ...told },
      {
        run: "b",
        tag: "pr",
        step: null,
        wall_time: null,
        first: 2,
        thresholds: 0,
        ...told,
        problem: { message: "gone", hint: "", code: "", parameters: {} },
      },
      { run: "c", tag: "pr", step: 3, wall_time: 4, first: 2, thresholds: 1, ...told },
    ],
  };
  const arrays = Object.fromEntries(NAMES.map((name, i) => [name, Float64Array.of(i, i + 0.1, i + 0.2)]));
  const places = ["a", "b", "c"].map((run) => ({ run, tag: "pr", step: "9007199254740993", wall: 1 }));
  const [a, b, c] = curvesIn(encodeFrame(header, arrays), places);
  expect([...(a?.f1 ?? [])]).toEqual([9, 9.1]);
  expect([...(c?.recall ?? [])]).toEqual([6.2]);
  expect(b?.problem).toBe("gone");
  expect(b?.precision).toHaveLength(0);
  expect(a?.rocArea).toBe(null);
  expect(c?.place.step).toBe("9007199254740993");
});
