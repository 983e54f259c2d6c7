import { expect, test } from "vitest";
import { goalOf, verdictOf } from "./metric_goal";

test("names tell whether low or high is best", () => {
  expect(["loss", "val/rmse", "eval/perplexity"].map(goalOf)).toEqual(["min", "min", "min"]);
  expect(["accuracy", "eval/f1", "episode/reward"].map(goalOf)).toEqual(["max", "max", "max"]);
  expect(["learning_rate", "train/epoch", "system/memory", "weights"].map(goalOf)).toEqual([null, null, null, null]);
});

test("a value is better or worse than the reference, or neither", () => {
  expect(verdictOf(0.4, 0.5, "min")).toBe("better");
  expect(verdictOf(0.4, 0.5, "max")).toBe("worse");
  expect(verdictOf(0.5, 0.5, "max")).toBeNull();
  expect(verdictOf(Number.NaN, 0.5, "max")).toBeNull();
  expect(verdictOf(0.4, 0.5, null)).toBeNull();
  expect(verdictOf(null, 0.5, "min")).toBeNull();
});
