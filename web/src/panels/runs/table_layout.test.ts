import { expect, test } from "vitest";
import { layoutOf, namesPx, SELECT_PX } from "./table_layout";

const columns = Array.from({ length: 1000 }, (_, i) => `c${i}`);

test("of a thousand columns only those in sight are drawn", () => {
  const layout = layoutOf(columns, 2, () => 100, 50_000, 1200);
  expect(layout.visible.length).toBeLessThan(25);
  expect(layout.totalPx).toBe(SELECT_PX + 100 + 100_000);
  expect(layout.pinned.map((one) => one.leftPx)).toEqual([SELECT_PX + 100, SELECT_PX + 200]);
  // the first drawn column has the same position as if all were drawn
  const first = columns.indexOf(layout.visible[0] ?? "");
  expect(layout.gapPx).toBe((first - 2) * 100);
});

test("a narrow table is drawn whole", () => {
  const layout = layoutOf(["a", "b"], 0, () => 100, 0, 800);
  expect([layout.gapPx, layout.visible]).toEqual([0, ["a", "b"]]);
});

test("names get what they need where columns leave it, else a part of the table", () => {
  expect(namesPx(420, 1900, 1100)).toBe(420);
  expect(namesPx(420, 1000, 2000)).toBe(360);
  expect(namesPx(100, 1900, 1100)).toBe(240);
  expect(namesPx(900, 390, 2000)).toBe(234);
});
