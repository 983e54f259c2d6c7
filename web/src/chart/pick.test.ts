import { expect, test } from "vitest";
import { decodeLayer } from "./layers";
import { layoutOf } from "./layout";
import { pickLines } from "./pick";
import { columnsFrame, frameOf, pointsFrame, sceneOf, styleOf } from "./test_data";
import type { PickOrder, Picks, Scene } from "./types";

function picked(
  frame: ArrayBuffer,
  scene: Scene,
  xPx: number,
  yPx: number,
  order: PickOrder = "nearest",
  limit = 10,
): Picks {
  const layer = decodeLayer(1, frame);
  return pickLines(scene, layoutOf(scene), (id) => (id === 1 ? layer : undefined), { xPx, yPx }, order, limit);
}

const three = pointsFrame(
  [
    [0, 1],
    [5, 2],
    [10, 3],
  ],
  [
    [0, 9],
    [10, 9],
  ],
  [[4, 5]],
);
const shown = sceneOf({
  layers: [{ id: 1, styles: [styleOf("#111111"), styleOf("#222222"), styleOf("#333333")], bands: [] }],
});

test("each line answers with its point nearest on x", () => {
  const { total, rows } = picked(three, shown, 88, 88, "none");
  expect(total).toBe(3);
  expect(rows.map(({ series, x, y }) => [series, x, y])).toEqual([
    [0, 5, 2],
    [1, 0, 9],
    [2, 4, 5],
  ]);
  expect(rows[0]?.distancePx).toBeCloseTo(2);
});

test("rows are sorted as asked", () => {
  const series = (order: PickOrder): readonly number[] =>
    picked(three, shown, 88, 60, order).rows.map((row) => row.series);
  expect(series("nearest")).toEqual([2, 0, 1]);
  expect(series("nearest-y")).toEqual([2, 0, 1]);
  expect(series("ascending")).toEqual([0, 2, 1]);
  expect(series("descending")).toEqual([1, 2, 0]);
});

test("a limit keeps the first rows and tells how many there are", () => {
  const { total, rows } = picked(three, shown, 88, 60, "nearest", 1);
  expect([total, rows.length]).toEqual([3, 1]);
});

test("hidden lines are not picked", () => {
  const styles = [styleOf("#111111"), styleOf("#222222", { visible: false }), styleOf("#333333")];
  expect(picked(three, sceneOf({ layers: [{ id: 1, styles, bands: [] }] }), 88, 60, "none").total).toBe(2);
});

test("the stroke of a column is near from its lowest to its highest value", () => {
  const scene = { ...shown, x: { scale: "linear", lo: 0, hi: 60, format: "step" } as const };
  // the fifth column reaches from 0.5 to 4
  const { total, rows } = picked(columnsFrame(), scene, 115, 88);
  expect(total).toBe(2);
  expect(rows[0]).toMatchObject({ series: 0, x: 45 });
  expect(rows[0]?.distancePx).toBeCloseTo(0);
});

test("points that are not numbers are passed over", () => {
  const frame = pointsFrame([
    [0, 4],
    [5, Number.NaN],
    [9, 6],
  ]);
  expect(picked(frame, shown, 91, 50).rows[0]).toMatchObject({ x: 9, y: 6 });
});

test("lines that go back are searched all the same", () => {
  const frame = pointsFrame([
    [0, 1],
    [8, 2],
    [3, 7],
    [9, 4],
  ]);
  expect(picked(frame, shown, 71, 50).rows[0]).toMatchObject({ x: 3, y: 7 });
});

test("a band answers with its middle", () => {
  const frame = frameOf(
    { groups: [{ length: 2 }] },
    { band_x: [0, 10], band_centre: [3, 4], band_low: [2, 3], band_high: [4, 5] },
  );
  const scene = sceneOf({ layers: [{ id: 1, styles: [], bands: [styleOf("#111111")] }] });
  expect(picked(frame, scene, 130, 50).rows[0]).toMatchObject({ series: -1, band: 0, x: 10, y: 4 });
});

test("nothing is picked where nothing is", () => {
  expect(picked(pointsFrame(), sceneOf(), 50, 50)).toEqual({ total: 0, rows: [] });
});

test("a band without a width is an area, which is not pointed at", () => {
  const frame = frameOf(
    { groups: [{ length: 2 }] },
    { band_x: [0, 10], band_centre: [3, 4], band_low: [2, 3], band_high: [4, 5] },
  );
  const scene = sceneOf({ layers: [{ id: 1, styles: [], bands: [styleOf("#111111", { widthPx: 0 })] }] });
  expect(picked(frame, scene, 130, 50).total).toBe(0);
});
