import { expect, test } from "vitest";
import { sortedPositions } from "./run_order";
import { type Row, treeRows } from "./run_rows";

function drawn(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => {
    if (typeof row === "string") return row;
    const indent = "  ".repeat(row.depth);
    return row.kind === "run"
      ? `${indent}${row.label}`
      : `${indent}${row.open ? "v" : ">"} ${row.label} ${row.runs.length}`;
  });
}

test("a tree folds, joins lonely folders and heads runs that have runs below", () => {
  const runs = ["a/b/c/1", "a/b/c/2", "a/b/d", "e", "e/f", "g"];
  expect(drawn(treeRows(runs, new Set()))).toEqual([
    "v a/b 3",
    "  v c 2",
    "    1",
    "    2",
    "  d",
    "v e 2",
    "  .",
    "  f",
    "g",
  ]);
  expect(drawn(treeRows(runs, new Set(["a/b", "e"])))).toEqual(["> a/b 3", "> e 2", "g"]);
});

test("a path of one run is one line", () => {
  expect(drawn(treeRows(["a/b/c"], new Set()))).toEqual(["a/b/c"]);
});

test("a tree of many runs loses none", () => {
  const runs = Array.from({ length: 20_000 }, (_, i) => `x${i % 300}/y${i % 7}/run${i}`);
  const rows = treeRows(runs, new Set());
  expect(rows.filter((row) => typeof row === "object" && row.kind === "run")).toHaveLength(20_000);
});

test("what is missing comes last either way, and equal ones stay", () => {
  const values = [3, null, 1, Number.NaN, 2];
  expect(sortedPositions(5, [{ values, down: false }])).toEqual([2, 4, 0, 1, 3]);
  expect(sortedPositions(5, [{ values, down: true }])).toEqual([0, 4, 2, 1, 3]);
});

test("several keys, and numbers in texts", () => {
  const letters = ["b", "a", "b", "a"];
  const texts = ["run10", "run9", "run2", "run10"];
  const keys = [
    { values: letters, down: false },
    { values: texts, down: true },
  ];
  expect(sortedPositions(4, keys)).toEqual([3, 1, 0, 2]);
});
