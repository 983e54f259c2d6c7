import { expect, test } from "vitest";
import { COLUMNS, layoutWidths, parseKept, SELECT_PX, TOOLS_PX } from "./columns";

test("spare width goes to names and sources", () => {
  const columns = COLUMNS.filter(({ extra = false }) => !extra);
  const widths = layoutWidths(columns, 2000);
  const all = [...widths.values()].reduce((sum, px) => sum + px, 0);
  expect(all).toBeGreaterThan(1995);
  expect(widths.get("owner")).toBe(72);
  expect(widths.get("sources")).toBeGreaterThan(300);
  const least = columns.reduce((sum, { widthPx }) => sum + widthPx, 0);
  expect(least + SELECT_PX + TOOLS_PX, "all columns fit into 1280 pixels").toBeLessThan(1280);
  expect(layoutWidths(columns, 500).get("sources")).toBe(180);
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
