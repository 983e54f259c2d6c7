import { expect, test } from "vitest";
import { sortKey, sortTrials } from "./trials_order";
import { column } from "./trials_test_data";

const all = Int32Array.from([0, 1, 2, 3, 4]);
const loss = column("metric:loss", [2, Number.NaN, 1, Number.POSITIVE_INFINITY, 1]);

test("trials without a value come last either way, and equal ones stay as they were", () => {
  expect([...sortTrials(all, [{ column: loss, down: false }])]).toEqual([2, 4, 0, 3, 1]);
  expect([...sortTrials(all, [{ column: loss, down: true }])]).toEqual([3, 0, 2, 4, 1]);
});

test("a second column decides between equals", () => {
  const units = column("hparam:units", [1, 1, 1, 1, 9]);
  const keys = [
    { column: loss, down: false },
    { column: units, down: true },
  ];
  expect([...sortTrials(all, keys)]).toEqual([4, 2, 0, 3, 1]);
});

test("only the trials given are sorted", () => {
  expect([...sortTrials(Int32Array.from([4, 3, 0]), [{ column: loss, down: false }])]).toEqual([4, 0, 3]);
  expect(sortTrials(all, [])).toBe(all);
});

test("a minus turns a key round", () => {
  expect(sortKey("-metric:loss")).toEqual({ column: "metric:loss", down: true });
  expect(sortKey("hparam:lr")).toEqual({ column: "hparam:lr", down: false });
});
