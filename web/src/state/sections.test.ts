import { expect, test } from "vitest";
import { sectionsOf, splitTitle } from "./sections";

function shape(tags: readonly string[], by: "first" | "last" = "first") {
  return sectionsOf(tags, by).map(({ name, blocks }) => [
    name,
    ...blocks.map((b) => [b.path, b.title, b.depth, ...b.tags]),
  ]);
}

test("tags without prefix share one section, which comes first", () => {
  expect(shape(["a/x", "loss", "lr"])).toEqual([
    ["", ["", "", 0, "loss", "lr"]],
    ["a", ["a", "", 0, "a/x"]],
  ]);
});

test("metrics of the machine come last", () => {
  const names = (tags: readonly string[], by: "first" | "last") => sectionsOf(tags, by).map(({ name }) => name);
  const tags = ["eval/loss", "system/cpu", "system/gpu/0/memory", "systematic/x", "train/loss"];
  expect(names(tags, "first")).toEqual(["eval", "systematic", "train", "system"]);
  expect(names(tags, "last")).toEqual(["eval", "systematic", "train", "system", "system/gpu/0"]);
});

test("a leading slash is no prefix", () => {
  expect(shape(["/x"])).toEqual([["", ["", "", 0, "/x"]]]);
});

test("deeper paths become sub-headings of any depth", () => {
  expect(shape(["net/a/k/x", "net/a/k/y", "net/a/k/z", "net/a/w", "net/z"])).toEqual([
    [
      "net",
      ["net", "", 0, "net/z"],
      ["net/a", "a", 1, "net/a/w"],
      ["net/a/k", "k", 2, "net/a/k/x", "net/a/k/y", "net/a/k/z"],
    ],
  ]);
});

test("a folder with few cards gets no heading of its own", () => {
  expect(shape(["m/a/x", "m/a/z", "m/b/y"])).toEqual([["m", ["m", "", 0, "m/a/x", "m/a/z", "m/b/y"]]]);
});

test("folders with nothing but one folder are one heading", () => {
  expect(shape(["m/a/b/x", "m/a/b/y", "m/a/b/z", "m/z"])).toEqual([
    ["m", ["m", "", 0, "m/z"], ["m/a/b", "a/b", 1, "m/a/b/x", "m/a/b/y", "m/a/b/z"]],
  ]);
});

test("by the last prefix there are no sub-headings", () => {
  expect(shape(["a/b/x", "a/b/y", "a/z", "l"], "last")).toEqual([
    ["", ["", "", 0, "l"]],
    ["a/b", ["a/b", "", 0, "a/b/x", "a/b/y"]],
    ["a", ["a", "", 0, "a/z"]],
  ]);
});

test("counts include what lies below", () => {
  const [section] = sectionsOf(["n/a/w", "n/a/x", "n/a/y", "n/z"], "first");
  expect(section?.count).toBe(4);
  expect(section?.blocks.map((block) => block.count)).toEqual([4, 3]);
});

test("a title leaves out what the heading says", () => {
  expect(splitTitle("train/loss", "train")).toEqual({ prefix: "train/", rest: "loss" });
  expect(splitTitle("training", "train")).toEqual({ prefix: "", rest: "training" });
  expect(splitTitle("train/", "train")).toEqual({ prefix: "", rest: "train/" });
});
