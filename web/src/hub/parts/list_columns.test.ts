import { expect, test } from "vitest";
import { COLUMNS as BOARDS, type ColumnId, TOOLS_PX } from "../boards/columns";
import { type Column, parseKept } from "./list_columns";
import { SELECT_PX } from "./list_row";

test("spare width goes to names and sources", () => {
  const widths = BOARDS.widths(2000);
  const all = [...widths.values()].reduce((sum, px) => sum + px, 0);
  expect(all).toBeGreaterThan(1995);
  expect(widths.get("owner")).toBe(72);
  expect(widths.get("sources")).toBeGreaterThan(300);
  const least = BOARDS.shown.value.reduce((sum, { widthPx }) => sum + widthPx, 0);
  expect(least + SELECT_PX + TOOLS_PX, "all columns fit into 1280 pixels").toBeLessThan(1280);
  expect(BOARDS.widths(500).get("sources")).toBe(180);
});

test("columns are shown, hidden and resized", () => {
  const ids = (): readonly string[] => BOARDS.shown.value.map(({ id }) => id);
  const column = (wanted: string): Column<ColumnId> => {
    const found = BOARDS.all.find(({ id }) => id === wanted);
    if (found === undefined) throw new Error(wanted);
    return found;
  };
  BOARDS.show(column("id"), true);
  BOARDS.show(column("type"), false);
  BOARDS.show(column("name"), false);
  expect(ids()).toContain("id");
  expect(ids()).not.toContain("type");
  expect(ids(), "the name is always shown").toContain("name");
  BOARDS.resize("name", 5000);
  expect(BOARDS.widths(4000).get("name")).toBe(900);
  BOARDS.reset();
  expect(ids()).not.toContain("id");
  expect(BOARDS.widths(500).get("name")).toBe(165);
});

test("what the browser remembers may be anything", () => {
  const nothing = { hidden: [], shown: [], widths: {} };
  for (const text of [null, "", "[", "5", '"x"', "null"]) expect(parseKept(text), String(text)).toEqual(nothing);
  expect(parseKept('{"hidden":["type"],"widths":{"name":300,"type":"wide"}}')).toEqual({
    hidden: ["type"],
    shown: [],
    widths: { name: 300 },
  });
});
