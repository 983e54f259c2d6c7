import { afterEach, expect, test } from "vitest";
import { allColumns } from "./projector";
import { cellText, discardEdits, editCells, foundWithEdits } from "./projector_edits";

afterEach(discardEdits);

const FOUND = Uint32Array.of(1, 4, 7);

test("a changed cell is found by what it says now", () => {
  expect(foundWithEdits(FOUND, "kind", { text: "cat", regex: false })).toBe(FOUND);
  editCells([4, 5], "kind", "Dog");
  editCells([9], "kind", "wild Cat");
  expect([...foundWithEdits(FOUND, "kind", { text: "cat", regex: false })]).toEqual([1, 7, 9]);
  expect([...foundWithEdits(new Uint32Array(), "kind", { text: "^Dog$", regex: true })]).toEqual([4, 5]);
  expect([...foundWithEdits(new Uint32Array(), "kind", { text: "(", regex: true })]).toEqual([]);
});

test("a column that is made is one of all, with empty cells where nothing was written", () => {
  editCells([2], "mark", "x");
  expect(allColumns.value).toEqual(["mark"]);
  expect([cellText(2, "mark"), cellText(3, "mark")]).toEqual(["x", ""]);
  discardEdits();
  expect(allColumns.value).toEqual([]);
});
