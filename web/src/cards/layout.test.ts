import { expect, test } from "vitest";
import { anchored, GAP_PX, type Group, gridOf, heightOf, layOut, rowAt, rowsIn } from "./layout";

function group(key: string, cards: number): Group<string> {
  return { key, of: key, headingPx: 40, cards };
}

test("cards share the width that is left", () => {
  expect(gridOf(1000, 400)).toEqual({ perRow: 2, cardWidthPx: 496 });
  expect(gridOf(300, 400)).toEqual({ perRow: 1, cardWidthPx: 300 });
  expect(gridOf(0, 400)).toEqual({ perRow: 1, cardWidthPx: 0 });
});

test("without a wish, cards fill the row at every width of a window", () => {
  const beside = (windowPx: number): number => gridOf(windowPx - 324, 0).perRow;
  expect([390, 1280, 1440, 1920, 2560, 3840].map(beside)).toEqual([1, 3, 3, 4, 5, 8]);
  for (let widthPx = 300; widthPx < 3000; widthPx += 7) {
    const { perRow, cardWidthPx } = gridOf(widthPx, 0);
    expect(cardWidthPx).toBeGreaterThanOrEqual(300);
    expect(widthPx - (perRow * (cardWidthPx + GAP_PX) - GAP_PX)).toBeLessThan(perRow);
  }
  expect(gridOf(1000, 0, 600).perRow).toBe(1);
});

test("rows lie one below the other", () => {
  const layout = layOut([group("a", 5), group("b", 0), group("c", 1)], { perRow: 2, cardWidthPx: 100 }, 200);
  expect(layout.rows.map((row) => row.key)).toEqual(["h:a", "c:a:0", "c:a:2", "c:a:4", "h:b", "h:c", "c:c:0"]);
  const card = 200 + GAP_PX;
  expect([...layout.tops]).toEqual([
    0,
    40,
    40 + card,
    40 + 2 * card,
    40 + 3 * card,
    80 + 3 * card,
    120 + 3 * card,
    120 + 4 * card,
  ]);
  expect(heightOf(layout)).toBe(120 + 4 * card);
});

test("a row may have a height of its own", () => {
  const own = { ...group("a", 3), rowPx: (from: number) => 100 + from };
  const layout = layOut([own, group("b", 1)], { perRow: 2, cardWidthPx: 100 }, 200);
  expect([...layout.tops]).toEqual([0, 40, 140 + GAP_PX, 242 + 2 * GAP_PX, 282 + 2 * GAP_PX, 482 + 3 * GAP_PX]);
});

test("a row is found by its height", () => {
  const layout = layOut([group("a", 4)], { perRow: 1, cardWidthPx: 100 }, 92);
  expect([-5, 0, 39, 40, 139, 140, 1e9].map((y) => rowAt(layout, y))).toEqual([0, 0, 0, 1, 1, 2, 4]);
  expect(rowsIn(layout, 50, 150)).toEqual({ from: 1, to: 3 });
});

test("an empty page has no rows", () => {
  const layout = layOut<string>([], { perRow: 3, cardWidthPx: 100 }, 100);
  expect(rowsIn(layout, 0, 1000)).toEqual({ from: 0, to: 0 });
  expect(heightOf(layout)).toBe(0);
});

test("what is in sight stays in sight when rows come in above", () => {
  const grid = { perRow: 1, cardWidthPx: 100 };
  const before = layOut([group("b", 3)], grid, 92);
  const after = layOut([group("a", 10), group("b", 3)], grid, 92);
  expect(anchored(before, after, 150)).toBe(150 + 40 + 10 * 100);
  expect(anchored(before, after, 0)).toBe(0);
});

test("when the row in sight is gone, the nearest one above is shown", () => {
  const grid = { perRow: 1, cardWidthPx: 100 };
  const before = layOut([group("a", 3), group("b", 3)], grid, 92);
  const after = layOut([group("a", 3), group("b", 0)], grid, 92);
  expect(anchored(before, after, 500)).toBe(340);
});

test("a hundred thousand cards are laid out", () => {
  const layout = layOut([group("a", 100_000)], { perRow: 3, cardWidthPx: 100 }, 292);
  expect(layout.rows).toHaveLength(33_335);
  expect(rowAt(layout, 5_000_000)).toBe(16_667);
});

test("cards without a heading start below a gap", () => {
  const groups = [{ key: "a", of: "a", headingPx: 0, cards: 3 }];
  expect([...layOut(groups, { perRow: 2, cardWidthPx: 100 }, 50).tops]).toEqual([
    GAP_PX,
    2 * GAP_PX + 50,
    3 * GAP_PX + 100,
  ]);
});
