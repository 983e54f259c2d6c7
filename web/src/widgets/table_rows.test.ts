import { expect, test } from "vitest";
import { axisWindow, rowAfterKey, rowLayout, rowsInSight, scrollToShow } from "./table_rows";

test("rows below an open one are moved down", () => {
  const layout = rowLayout(5, 30, [3, 1], 200);
  expect([0, 1, 2, 3, 4].map(layout.topOf)).toEqual([0, 30, 260, 290, 520]);
  expect(layout.totalPx).toBe(550);
});

test("a position is in its row, also within what is open and beyond the end", () => {
  const layout = rowLayout(5, 30, [1], 200);
  expect([0, 29, 30, 200, 259, 260, 10_000].map(layout.rowAt)).toEqual([0, 0, 1, 1, 1, 2, 4]);
  expect(rowLayout(0, 30).rowAt(50)).toBe(0);
});

test("rows in sight have a margin that ends with the table", () => {
  const layout = rowLayout(100, 30);
  expect(rowsInSight(layout, 0, 90, 8)).toEqual({ first: 0, end: 12 });
  expect(rowsInSight(layout, 1500, 90, 8)).toEqual({ first: 42, end: 62 });
  expect(rowsInSight(layout, 2910, 90, 8)).toEqual({ first: 89, end: 100 });
  expect(rowsInSight(rowLayout(0, 30), 0, 90, 8)).toEqual({ first: 0, end: 0 });
});

test("keys move by a row, a page or to an end, and never beyond the table", () => {
  const after = (key: string, row: number): number | null => rowAfterKey(key, row, 50, 300, 30);
  expect([after("ArrowDown", 3), after("ArrowUp", 3)]).toEqual([4, 2]);
  expect([after("PageDown", 3), after("PageUp", 10)]).toEqual([11, 2]);
  expect([after("Home", 3), after("End", 3)]).toEqual([0, 49]);
  expect([after("ArrowUp", 0), after("PageUp", 2), after("ArrowDown", 49), after("PageDown", 45)]).toEqual([
    0, 0, 49, 49,
  ]);
  expect([after("a", 3), after("toString", 3)]).toEqual([null, null]);
});

test("a page is at least one row", () => {
  expect(rowAfterKey("PageDown", 3, 50, 20, 30)).toBe(4);
});

test("a table is scrolled only for rows out of sight, and not below its head", () => {
  const layout = rowLayout(100, 30);
  const frame = { topPx: 300, heightPx: 334, headPx: 34 };
  expect(scrollToShow(layout, 12, frame)).toBe(300);
  expect(scrollToShow(layout, 5, frame)).toBe(150);
  expect(scrollToShow(layout, 19, frame)).toBe(300);
  expect(scrollToShow(layout, 20, frame)).toBe(330);
});

test("places of a short axis are where they are, and windows begin at multiples", () => {
  const axis = axisWindow(1000, 22, 22 * 40, 220);
  expect(axis.allPx).toBe(22_000);
  expect([axis.from, axis.count]).toEqual([32, 43]);
  expect(axis.px(40)).toBe(22 * 40);
});

test("an axis that no browser can lay out is scrolled in larger steps to its very end", () => {
  const size = 1_000_000;
  const start = axisWindow(size, 22, 0, 220);
  expect(start.allPx).toBeLessThan(size * 22);
  expect(start.from).toBe(0);
  const end = axisWindow(size, 22, start.allPx - 220, 220);
  expect(end.from + end.count).toBe(size);
  expect(end.px(end.from)).toBe(start.allPx - 220);
});
