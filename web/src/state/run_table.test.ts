import { expect, test } from "vitest";
import { csvOf, jsonOf, mainMetrics, varies } from "./run_table";

test("the first metrics are those of most runs, and those of the machine only if there are no others", () => {
  const tags = ["a", "b", "loss", "system/cpu", "z"];
  expect(mainMetrics(tags, [1, 3, 9, 9, 3], 3)).toEqual(["b", "loss", "z"]);
  // a metric of one run of thirty would be an empty column
  expect(mainMetrics(["accuracy", "odd"], [30, 1], 3)).toEqual(["accuracy"]);
  expect(mainMetrics(["system/cpu"], [4], 3)).toEqual(["system/cpu"]);
  expect(mainMetrics([], [], 3)).toEqual([]);
});

test("runs without a value do not make a column differ", () => {
  expect(varies([null, 2, null, 2])).toBe(false);
  expect(varies([null, 2, 3])).toBe(true);
  expect(varies([Number.NaN, Number.NaN])).toBe(false);
  expect(varies([null, null])).toBe(false);
});

test("a table file survives odd names and runs no formula", () => {
  const table = {
    columns: ["run", "last:loss"],
    rows: [
      ['a,"b"', 0.5],
      ["=SUM(A1)", Number.NaN],
      ["-x", null],
    ],
  };
  expect(csvOf(table)).toBe('run,last:loss\r\n"a,""b""",0.5\r\n\'=SUM(A1),NaN\r\n\'-x,\r\n');
  expect(JSON.parse(jsonOf(table))[1]).toEqual({ run: "=SUM(A1)", "last:loss": "NaN" });
});
