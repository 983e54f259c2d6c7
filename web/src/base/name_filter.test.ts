import { expect, test } from "vitest";
import { nameFilter } from "./name_filter";

test("an empty filter lets everything through", () => {
  expect(nameFilter("").matches("anything")).toBe(true);
});

test("a filter is a regular expression without regard to case", () => {
  const filter = nameFilter("^train|val$");
  expect(["Train/1", "x/val", "test"].filter(filter.matches)).toEqual(["Train/1", "x/val"]);
});

test("a half-typed expression is taken literally and reported", () => {
  const filter = nameFilter("loss(");
  expect(filter.valid).toBe(false);
  expect(filter.matches("my_LOSS(a)")).toBe(true);
  expect(filter.matches("loss")).toBe(false);
});
