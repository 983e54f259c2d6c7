import { expect, test } from "vitest";
import { rowLayout } from "./row_layout";

test("rows below an open one are moved down", () => {
  const layout = rowLayout(5, [3, 1], 30, 200);
  expect([0, 1, 2, 3, 4].map(layout.topOf)).toEqual([0, 30, 260, 290, 520]);
  expect(layout.totalPx).toBe(550);
});

test("a place is found again, also within what is open and beyond the end", () => {
  const layout = rowLayout(5, [1], 30, 200);
  expect([0, 29, 30, 200, 259, 260, 10_000].map(layout.rowAt)).toEqual([0, 0, 1, 1, 1, 2, 4]);
  expect(rowLayout(0, [], 30, 200).rowAt(50)).toBe(0);
});
