import { expect, test } from "vitest";
import { haystack, search } from "./fuzzy";

function names(all: readonly string[], query: string): readonly string[] {
  return search(haystack(all), query, 10).map(({ row }) => all[row] ?? "");
}

test("a name that begins a component comes before one that has the word inside", () => {
  expect(names(["blossoms", "train/loss", "loss", "glossary"], "loss")).toEqual([
    "loss",
    "train/loss",
    "blossoms",
    "glossary",
  ]);
});

test("every word must occur, in any order", () => {
  expect(names(["train/loss", "train/acc", "eval/loss"], "loss tr")).toEqual(["train/loss"]);
});

test("first letters of components are enough", () => {
  expect(names(["metrics/validation/accuracy", "loss"], "mva")).toEqual(["metrics/validation/accuracy"]);
  expect(names(["completely different"], "zzz")).toEqual([]);
});

test("names in other scripts are found", () => {
  expect(names(["训练/损失", "验证/损失"], "验证")).toEqual(["验证/损失"]);
});

test("the best of very many are kept", () => {
  const many = Array.from({ length: 100_000 }, (_, i) => `group_${i % 100}/tag_${i}`);
  expect(names(many, "tag_77777")[0]).toBe("group_77/tag_77777");
  expect(names(many, "tag")).toHaveLength(10);
});
