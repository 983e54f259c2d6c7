import { expect, test } from "vitest";
import type { Row } from "../../state/run_rows";
import { toggleRows } from "./row_selection";

const LIST: readonly Row[] = ["a", "b", "c", "d"];

test("a click selects a row, and a second one deselects it", () => {
  const once = toggleRows(LIST, new Set(), 1, 1);
  expect([...once]).toEqual(["b"]);
  expect([...toggleRows(LIST, once, 1, 1)]).toEqual([]);
});

test("a range goes either way and follows the row that was clicked", () => {
  expect([...toggleRows(LIST, new Set(["a"]), 0, 2)]).toEqual(["a", "b", "c"]);
  expect([...toggleRows(LIST, new Set(), 3, 1)]).toEqual(["b", "c", "d"]);
  expect([...toggleRows(LIST, new Set(["a", "b", "c"]), 0, 1)]).toEqual(["c"]);
});

test("a group stands for its runs only when it is clicked alone", () => {
  const group = { kind: "group", key: "g", label: "g", runs: ["x", "y"], open: false } as unknown as Row;
  const rows: readonly Row[] = ["a", group, "b"];
  expect([...toggleRows(rows, new Set(["x"]), 1, 1)]).toEqual(["x", "y"]);
  expect([...toggleRows(rows, new Set(), 0, 2)]).toEqual(["a", "b"]);
});

test("a row that is gone selects nothing", () => {
  const selected = new Set(["a"]);
  expect(toggleRows(LIST, selected, 9, 9)).toBe(selected);
});
