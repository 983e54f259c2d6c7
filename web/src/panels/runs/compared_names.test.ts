import { expect, test } from "vitest";
import { linesOf } from "./compared_names";

const letters = (text: string): number => text.length;

test("lines break between parts", () => {
  expect(linesOf("units=32,seed=1", 9, letters)).toBe(2);
  expect(linesOf("units=32,seed=1", 20, letters)).toBe(1);
});

test("a part that is longer than a line does not fit", () => {
  expect(linesOf("optimizer=adam", 9, letters)).toBeGreaterThan(3);
});
