import { expect, test } from "vitest";
import { dragHandleAt, dragHandlesOf, moveHandle } from "./drag_handles";
import { layoutOf } from "./layout";
import { moveOf } from "./plate";
import { drawableRange, fromPx, scaleOf, toPx } from "./scales";
import { sceneOf } from "./test_data";
import type { Axis, ScaleKind } from "./types";

function axis(scale: ScaleKind, lo: number, hi: number): Axis {
  return { scale, lo, hi, format: "number" };
}

test("every scale goes there and back", () => {
  for (const kind of ["linear", "log", "symlog"] as const) {
    const scale = scaleOf(axis(kind, 0.5, 2000), 10, 210);
    expect(toPx(scale, 0.5)).toBeCloseTo(10);
    expect(toPx(scale, 2000)).toBeCloseTo(210);
    for (const value of [0.7, 3, 1999]) expect(fromPx(scale, toPx(scale, value))).toBeCloseTo(value);
  }
});

test("a symmetric logarithm shows both signs and zero", () => {
  const scale = scaleOf(axis("symlog", -100, 100), 0, 100);
  expect(toPx(scale, 0)).toBeCloseTo(50);
  expect(toPx(scale, -10)).toBeCloseTo(100 - toPx(scale, 10));
});

test("empty, upside-down and impossible ranges are opened", () => {
  expect(drawableRange(axis("linear", 5, 5))).toEqual({ lo: 2.5, hi: 7.5 });
  expect(drawableRange(axis("linear", 0, 0))).toEqual({ lo: -1, hi: 1 });
  expect(drawableRange(axis("linear", 3, 1))).toEqual({ lo: 1, hi: 3 });
  expect(toPx(scaleOf(axis("linear", 0, 2.5e-323), 0, 100), 5e-324)).toBeCloseTo(50);
  expect(drawableRange(axis("log", -5, 100))).toEqual({ lo: 1e-4, hi: 100 });
  expect(drawableRange(axis("log", -5, -1))).toEqual({ lo: 1, hi: 10 });
  expect(drawableRange({ ...axis("linear", 1.7e9, 1.7e9), format: "wall" })).toEqual({
    lo: 1.7e9 - 60,
    hi: 1.7e9 + 60,
  });
});

test("an old drawing is moved to where its values are now", () => {
  const old = scaleOf(axis("log", 1, 100), 0, 200);
  const now = scaleOf(axis("log", 10, 100), 0, 200);
  const { stretch, shift } = moveOf(old, now);
  for (const value of [1, 20, 100]) expect(shift + stretch * toPx(old, value)).toBeCloseTo(toPx(now, value));
});

test("the plot begins and ends between device pixels at any ratio", () => {
  for (const ratio of [1, 1.25, 1.5, 2, 2.625]) {
    const { plot } = layoutOf(sceneOf({ ratio, widthPx: 433.6, heightPx: 241.6 }));
    for (const edge of Object.values(plot))
      expect(Math.abs(edge * ratio - Math.round(edge * ratio))).toBeLessThan(1e-6);
  }
});

test("a card too small for a plot is laid out all the same", () => {
  const { plot } = layoutOf(sceneOf({ widthPx: 5, heightPx: 5 }));
  expect(plot.rightPx).toBeGreaterThan(plot.leftPx);
  expect(plot.bottomPx).toBeGreaterThan(plot.topPx);
});

const selected = sceneOf({ selection: { kind: "range", lo: 2, hi: 7 } });

test("the handles of a range can be taken hold of at their labels and lines", () => {
  const layout = layoutOf(selected);
  const handles = dragHandlesOf(selected, layout);
  expect(handles.map(({ end, label }) => [end, label])).toEqual([
    ["lo", "2"],
    ["hi", "7"],
  ]);
  expect(dragHandleAt(handles, layout, 60, 115)?.end).toBe("lo");
  expect(dragHandleAt(handles, layout, 112, 50)?.end).toBe("hi");
  expect(dragHandleAt(handles, layout, 85, 50)).toBeNull();
});

test("handles stay on whole steps and may pass each other", () => {
  const { x } = selected;
  expect(moveHandle({ kind: "step", at: 2 }, "at", 4.4, x)).toEqual({ kind: "step", at: 4 });
  expect(moveHandle({ kind: "range", lo: 2, hi: 7 }, "lo", 9.2, x)).toEqual({ kind: "range", lo: 7, hi: 9 });
});

test("a handle outside the range in sight is not shown", () => {
  const scene = sceneOf({ selection: { kind: "step", at: 50 } });
  expect(dragHandlesOf(scene, layoutOf(scene))).toEqual([]);
});
