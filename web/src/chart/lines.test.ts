import { expect, test } from "vitest";
import { decodeLayer } from "./layers";
import { layoutOf } from "./layout";
import { newPolyline, traceSeries, viewLayer } from "./lines";
import { COLUMNS, columnsFrame, frameOf, pointsFrame, sceneOf } from "./test_data";
import type { Scene } from "./types";

function traced(frame: ArrayBuffer, series: number, scene: Scene): readonly (readonly [number, number])[] {
  const line = newPolyline();
  traceSeries(
    line,
    viewLayer(decodeLayer(1, frame), scene.lines.smoothed ? "smoothed" : "raw", layoutOf(scene)),
    series,
    scene.lines.partition,
  );
  return Array.from({ length: line.length }, (_, i) => [round(line.xs[i]), round(line.ys[i])] as const);
}

function round(value = Number.NaN): number {
  return Math.round(value * 10) / 10;
}

const { plot } = layoutOf(sceneOf());
const wide = sceneOf({ x: { scale: "linear", lo: 0, hi: 60, format: "step" } });

test("the plot of the test scene is where the numbers below expect it", () => {
  expect(plot).toEqual({ leftPx: 40, topPx: 8, rightPx: 140, bottomPx: 108 });
});

test("points stand where their values are", () => {
  expect(
    traced(
      pointsFrame([
        [0, 0],
        [5, 10],
        [10, 5],
      ]),
      0,
      sceneOf(),
    ),
  ).toEqual([
    [40, 108],
    [90, 8],
    [140, 58],
  ]);
});

test("a NaN and an infinity break the line of points", () => {
  const found = traced(
    pointsFrame([
      [0, 1],
      [1, Number.NaN],
      [2, Number.POSITIVE_INFINITY],
      [3, 1],
    ]),
    0,
    sceneOf(),
  );
  expect(found.map(([, y]) => Number.isNaN(y))).toEqual([false, true, true, false]);
});

test("of sorted points only those in sight are traced, and one on each side", () => {
  const points = Array.from({ length: 101 }, (_, i) => [i, 1] as const);
  const found = traced(pointsFrame(points), 0, sceneOf({ x: { scale: "linear", lo: 50, hi: 60, format: "step" } }));
  expect([found[0]?.[0], found.at(-1)?.[0]]).toEqual([30, 150]);
});

test("a line that goes back is cut when parts are asked for", () => {
  const frame = pointsFrame([
    [0, 1],
    [5, 1],
    [3, 1],
    [6, 1],
  ]);
  expect(traced(frame, 0, sceneOf()).length).toBe(4);
  expect(traced(frame, 0, sceneOf({ lines: { partition: true } }))[2]).toEqual([70, Number.NaN]);
});

test("a logarithmic axis leaves out what is not positive", () => {
  const y = { scale: "log", lo: 1, hi: 100, format: "number" } as const;
  const found = traced(
    pointsFrame([
      [0, 10],
      [1, 0],
      [2, -5],
      [3, 100],
    ]),
    0,
    sceneOf({ y }),
  );
  expect(found.map(([, at]) => at)).toEqual([58, Number.NaN, Number.NaN, 8]);
});

test("columns go from first to last through lowest and highest", () => {
  // 1 first and lowest, 3 highest, 2.14 last; then 2.5 alone; a non-finite column; 0.5 up to 4; a value of a million
  const found = traced(columnsFrame(), 0, wide).map(([x, y]) => [x, y > 0 ? y : Math.sign(y)]);
  expect(found).toEqual([
    [48.3, 98],
    [48.3, 78],
    [48.3, 86.6],
    [65, 83],
    [98.3, Number.NaN],
    [115, 103],
    [115, 68],
    [131.7, -1],
  ]);
});

test("a series without a point has no line", () => {
  expect(traced(columnsFrame(), 1, wide)).toEqual([]);
});

test("lines come from and go to the points outside the range", () => {
  const bytes = { columns: COLUMNS, edge_x: [-10, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 90] };
  const frame = frameOf(
    { lo: 0, hi: 60, run: [0, 1, 2], columns: [0, 1, 2] },
    { ...bytes, edge_value: [5, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 7] },
  );
  expect(traced(frame, 0, wide)[0]).toEqual([23.3, 58]);
  expect(traced(frame, 2, wide).at(-1)).toEqual([190, 38]);
});

test("columns of a logarithmic range are evenly spaced on it", () => {
  const frame = frameOf({ x_scale: "log", lo: 1, hi: 1e6, run: [0, 1, 2], columns: [0, 1, 2] }, { columns: COLUMNS });
  const found = traced(frame, 0, sceneOf({ x: { scale: "log", lo: 1, hi: 1e6, format: "step" } }));
  expect([found[0]?.[0], found[3]?.[0], found.at(-1)?.[0]]).toEqual([48.3, 65, 131.7]);
});

test("the smoothed line is traced when it is asked for", () => {
  const frame = frameOf(
    { run: [0], exact: [0], kept: [2] },
    { step: [0, 10], wall_time: [0, 10], value: [0, 0], smoothed: [10, 5] },
  );
  expect(traced(frame, 0, sceneOf({ lines: { smoothed: true } })).map(([, y]) => y)).toEqual([8, 58]);
});
