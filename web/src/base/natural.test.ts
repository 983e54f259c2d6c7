import { expect, test } from "vitest";
import { compareNatural, naturalPlace } from "./natural";

test("numbers count as numbers, with fraction and exponent", () => {
  const sorted = ["lr=1e-05", "lr=0.01", "lr=0.1", "lr=1", "run2", "run10", "v1.2.3", "v1.10.0", "é", "日本語", "🚀"];
  expect([...sorted].reverse().sort(compareNatural)).toEqual(sorted);
});

test("a component of a path stands before longer names", () => {
  expect(["a-b", "a/b", "a", "a b"].sort(compareNatural)).toEqual(["a", "a/b", "a b", "a-b"]);
});

test("a name finds its place", () => {
  expect(naturalPlace(["run1", "run3", "run20"], "run10")).toBe(2);
  expect(naturalPlace([], "x")).toBe(0);
  expect(naturalPlace(["a", "b"], "c")).toBe(2);
});
