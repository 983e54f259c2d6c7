import { expect, test } from "vitest";
import { read } from "./number_field";

test("numbers are read as people write them", () => {
  expect(["1", " 0.5 ", "1e-3", "-2", "−2"].map((text) => read(text, false))).toEqual([1, 0.5, 0.001, -2, -2]);
});

test("what is half typed or no number is not taken", () => {
  for (const text of ["-", "1e", "abc", "1,000,000x", "Infinity", "NaN"]) expect(read(text, true)).toBeUndefined();
});

test("an empty field means nothing is set, where that is allowed", () => {
  expect(read("", true)).toBeNull();
  expect(read("  ", false)).toBeUndefined();
});
