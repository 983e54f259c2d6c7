import { expect, test } from "vitest";
import { columnsOf, inSight } from "./grid_layout";

test("cells in sight, and a few beyond", () => {
  expect(inSight(100, 50, 500, 200, 0)).toEqual({ from: 10, to: 14 });
  expect(inSight(100, 50, 510, 200, 100)).toEqual({ from: 8, to: 17 });
  expect(inSight(3, 50, 0, 1000, 100)).toEqual({ from: 0, to: 3 });
  expect(inSight(0, 50, 0, 1000, 100)).toEqual({ from: 0, to: 0 });
  // scrolled beyond the end
  const { from, to } = inSight(2, 50, 5000, 100, 0);
  expect(to - from).toBeLessThanOrEqual(0);
});

test("runs without any picture have no column", () => {
  const held = [null, new Map([["b", 1]]), new Map([["c", 1]])];
  expect(columnsOf(["a", "b", "c"], held)).toEqual(["b", "c"]);
  expect(columnsOf(["a", "b"], [null])).toEqual(["a", "b"]);
});
