import { expect, test } from "vitest";
import { suggestTags, tagFilter } from "./tag_filter";

test("a filter is a part of the name unless it stands between slashes", () => {
  expect(tagFilter("LOSS").matches("train/loss")).toBe(true);
  expect(tagFilter("l.ss").matches("train/loss")).toBe(false);
  expect(tagFilter("/l.ss$/").matches("train/loss")).toBe(true);
  expect(tagFilter("/").matches("train/loss")).toBe(true);
  expect(tagFilter("").matches("anything")).toBe(true);
});

test("a half-typed expression matches like its start, and is said to be incomplete", () => {
  for (const text of ["/lo(ss/", "/lo(ss", "/lo(s|"]) {
    const { matches, error } = tagFilter(text);
    expect(error).toMatch(/not complete/);
    expect(matches("train/loss")).toBe(true);
    expect(matches("accuracy")).toBe(false);
  }
  expect(tagFilter("/^lo").matches("loss")).toBe(true);
});

test("a wrong expression is taken literally", () => {
  const { matches, error } = tagFilter("/lo)ss/");
  expect(error).not.toBeNull();
  expect(matches("lo)ss")).toBe(true);
  expect(matches("loss")).toBe(false);
});

test("at most 25 tags are offered", () => {
  const tags = Array.from({ length: 100 }, (_, i) => `tag${i}`);
  expect(suggestTags("tag", tags)).toHaveLength(25);
  expect(suggestTags("tag99", tags)).toEqual([]);
  expect(suggestTags("/t", tags)).toEqual([]);
});

test("an expression that would run for years in another engine is answered", () => {
  const filter = tagFilter("/(a+)+$/");
  expect(filter.error).toBeNull();
  expect(filter.matches(`${"a".repeat(900)}!`)).toBe(false);
});

test("an expression with a look-around says that it is not supported", () => {
  expect(tagFilter("/a(?=b)/").error).toMatch(/look-around/);
});
