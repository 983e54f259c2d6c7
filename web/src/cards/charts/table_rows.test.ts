import { expect, test } from "vitest";
import { columnsShown, rangeRows, singleRows, sortRows } from "./table_rows";

const stretch = {
  run: "a",
  tag: "loss",
  first: 2,
  last: 1,
  min: 0.5,
  max: 3,
  mean: 1.5,
  points: 10,
  firstStep: 0,
  lastStep: 9,
  stepAtMin: 4,
  stepAtMax: 1,
};

test("a range tells how the value changed", () => {
  const [row] = rangeRows([stretch]);
  expect(row?.cells.change).toBe(-1);
  expect(row?.cells.percent).toBe(-50);
  expect(rangeRows([{ ...stretch, first: 0 }])[0]?.cells.percent).toBeNull();
  expect(rangeRows([{ ...stretch, first: null }])[0]?.cells.change).toBeNull();
});

test("the usual columns are TensorBoard's; smoothed only where there is smoothing", () => {
  expect(columnsShown(false, [], true)).toEqual(["run", "smoothed", "value", "step", "relative"]);
  expect(columnsShown(false, [], false)).toEqual(["run", "value", "step", "relative"]);
  expect(columnsShown(true, ["mean", "max"], true)).toEqual(["run", "max", "mean"]);
  // columns chosen for the other table do not change the defaults of this one
  expect(columnsShown(false, ["mean"], false)).toEqual(["run", "value", "step", "relative"]);
});

test("runs without the series are left out", () => {
  const reading = { run: "a", tag: "t", step: null, wallTime: null, relative: null, value: null, smoothed: null };
  expect(singleRows([reading, { ...reading, run: "b", step: 3, value: 1 }]).map((row) => row.run)).toEqual(["b"]);
});

test("rows without a value come last either way, names sort naturally", () => {
  const rows = [3, null, 1].map((value, i) => ({
    key: `${i}`,
    run: `run${[10, 3, 2][i]}`,
    tag: "t",
    cells: { value },
  }));
  const names = (order: Parameters<typeof sortRows>[1]) => sortRows(rows, order, (run) => run).map((row) => row.run);
  expect(names({ column: "value", down: false })).toEqual(["run2", "run10", "run3"]);
  expect(names({ column: "value", down: true })).toEqual(["run10", "run2", "run3"]);
  expect(names({ column: "run", down: false })).toEqual(["run2", "run3", "run10"]);
  expect(names(null)).toEqual(["run10", "run3", "run2"]);
});
