import { expect, test } from "vitest";
import { csvOf, jsonOf } from "./run_table";

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
