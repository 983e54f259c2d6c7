import { expect, test } from "vitest";
import { suggestTags, tagFilter } from "./tag_filter";

test("a filter is a part of the name unless it stands between slashes", () => {
  expect(tagFilter("LOSS").matches("train/loss")).toBe(true);
  expect(tagFilter("l.ss").matches("train/loss")).toBe(false);
  expect(tagFilter("/l.ss$/").matches("train/loss")).toBe(true);
  expect(tagFilter("/").matches("train/loss")).toBe(true);
  expect(tagFilter("").matches("anything")).toBe(true);
});

test("a half-typed expression is taken literally and said to be wrong", () => {
  const { matches, error } = tagFilter("/lo(ss/");
  expect(error).not.toBeNull();
  expect(matches("lo(ss")).toBe(true);
  expect(matches("loss")).toBe(false);
});

test("at most 25 tags are offered", () => {
  const tags = Array.from({ length: 100 }, (_, i) => `tag${i}`);
  expect(suggestTags("tag", tags)).toHaveLength(25);
  expect(suggestTags("tag99", tags)).toEqual([]);
  expect(suggestTags("/t", tags)).toEqual([]);
});

test("an expression that may run for years is not tried", () => {
  const filter = tagFilter("/(a+)+$/");
  expect(filter.error).toMatch(/repeat/);
  expect(filter.matches("x(a+)+$")).toBe(true);
  expect(filter.matches("a".repeat(40))).toBe(false);
});
