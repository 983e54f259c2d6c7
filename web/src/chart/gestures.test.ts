import { expect, test } from "vitest";
import { boxBetween, keyed, panned, rangesOf, shareOf, wheelFactor, zoomed } from "./gestures";
import { layoutOf } from "./layout";
import { sceneOf } from "./test_data";
import type { Axis } from "./types";

const linear: Axis = { scale: "linear", lo: 0, hi: 10, format: "number" };
const log: Axis = { scale: "log", lo: 1, hi: 100, format: "number" };
const layout = layoutOf(sceneOf());
const { plot } = layout;

test("panning moves both ends alike", () => {
  expect(panned(linear, 0.5)).toEqual({ lo: 5, hi: 15 });
  expect(panned(log, 0.5)).toEqual({ lo: 10, hi: 1000 });
});

test("zooming keeps the place under the cursor", () => {
  expect(zoomed(linear, 0.25, 0.5)).toEqual({ lo: 1.25, hi: 6.25 });
  const { lo, hi } = zoomed(log, 0.5, 0.5);
  expect(Math.sqrt(lo * hi)).toBeCloseTo(10);
  expect(hi / lo).toBeCloseTo(10);
});

test("there is an end to zooming in and out", () => {
  let axis: Axis = { ...linear, lo: 1e9, hi: 1e9 + 1 };
  for (let i = 0; i < 200; i++) axis = { ...axis, ...zoomed(axis, 0.5, 0.5) };
  expect(axis.hi).toBeGreaterThan(axis.lo);
  for (let i = 0; i < 3000; i++) axis = { ...axis, ...zoomed(axis, 0.5, 2) };
  expect(Number.isFinite(axis.hi - axis.lo)).toBe(true);
});

test("a drag of a few pixels is a click", () => {
  expect(boxBetween({ xPx: 50, yPx: 50 }, { xPx: 52, yPx: 52 }, plot)).toBeNull();
});

test("a box zooms both axes, a strip one", () => {
  const both = boxBetween({ xPx: 60, yPx: 28 }, { xPx: 90, yPx: 58 }, plot);
  expect(both && rangesOf(both, layout)).toEqual({ x: { lo: 2, hi: 5 }, y: { lo: 5, hi: 8 } });
  const across = boxBetween({ xPx: 90, yPx: 50 }, { xPx: 60, yPx: 55 }, plot);
  expect(across && rangesOf(across, layout)).toEqual({ x: { lo: 2, hi: 5 } });
  const upright = boxBetween({ xPx: 90, yPx: 28 }, { xPx: 92, yPx: 58 }, plot);
  expect(upright && rangesOf(upright, layout)).toEqual({ y: { lo: 5, hi: 8 } });
});

test("a box that leaves the plot ends at its edge", () => {
  const found = boxBetween({ xPx: 90, yPx: 58 }, { xPx: 900, yPx: -300 }, plot);
  expect(found && rangesOf(found, layout)).toEqual({ x: { lo: 5, hi: 10 }, y: { lo: 5, hi: 10 } });
});

test("the share of a y axis counts from its lower end", () => {
  expect(shareOf(layout.y, 108)).toBeCloseTo(0);
  expect(shareOf(layout.y, 8)).toBe(1);
});

test("turning the wheel there and back changes nothing", () => {
  expect(wheelFactor(120, 0) * wheelFactor(-120, 0)).toBeCloseTo(1);
  expect(wheelFactor(120, 0)).toBeCloseTo(wheelFactor(120 / 33, 1));
});

test("keys pan, zoom and reset; others are not the chart's", () => {
  expect(keyed("ArrowRight", linear, linear)).toEqual({ x: { lo: 1, hi: 11 } });
  expect(keyed("ArrowUp", linear, linear)).toEqual({ y: { lo: 1, hi: 11 } });
  expect(keyed("+", linear, linear)?.x).toEqual({ lo: 1, hi: 9 });
  expect(keyed("0", linear, linear)).toEqual({ x: null, y: null });
  expect(keyed("k", linear, linear)).toBeNull();
});
