import { expect, test } from "vitest";
import { mixed, shades } from "./shades";

test("a colour half of the way between two others", () => {
  expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mixed("#000000", "#fff", 0.5)).toBe("#808080");
  expect(mixed("#102030", "#ffffff", 0)).toBe("#102030");
  expect(mixed("#102030", "#0a0b0c", 1)).toBe("#0a0b0c");
});

test("what is not understood stays", () => {
  expect(mixed("rebeccapurple", "#ffffff", 0.5)).toBe("rebeccapurple");
});

test("shades go from one end to the other", () => {
  expect(shades("#000000", "#0000ff", 3)).toEqual(["#000000", "#000080", "#0000ff"]);
  expect(shades("#000000", "#0000ff", 1)).toEqual(["#0000ff"]);
});
