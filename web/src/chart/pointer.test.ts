import { expect, test } from "vitest";
import { layoutOf } from "./layout";
import { dragAt, endOf, pannedTo, pinched, wheeled } from "./pointer";
import { sceneOf } from "./test_data";

const scene = { ...sceneOf(), selection: { kind: "step", at: 5 } as const };
const layout = layoutOf(scene);
const { plot } = layout;
const middle = { xPx: (plot.leftPx + plot.rightPx) / 2, yPx: (plot.topPx + plot.bottomPx) / 2 };
const aside = { xPx: plot.leftPx + 5, yPx: plot.topPx + 5 };
const linear = { scale: "linear", lo: 0, hi: 10, format: "number" } as const;

test("a drag in the plot draws a box, one on the labels of an axis zooms that axis", () => {
  expect(dragAt(aside, scene, layout, true)).toMatchObject({ kind: "box", only: null });
  expect(dragAt({ ...aside, yPx: plot.bottomPx + 3 }, scene, layout, false)).toMatchObject({ only: "x" });
  expect(dragAt({ ...aside, xPx: plot.leftPx - 3 }, scene, layout, true)).toMatchObject({ only: "y" });
});

test("a drag on the line of the selection moves its handle, where a selection can be moved", () => {
  expect(dragAt(middle, scene, layout, true)).toEqual({ kind: "handle", end: "at", selection: scene.selection });
  expect(dragAt(middle, scene, layout, false)).toMatchObject({ kind: "box" });
});

test("a box along an axis stays on its line", () => {
  const to = { xPx: 77, yPx: 55 };
  const box = (only: "x" | "y" | null): Parameters<typeof endOf>[0] => ({ kind: "box", from: middle, only, box: null });
  expect(endOf(box("x"), to, layout)).toEqual({ xPx: 77, yPx: middle.yPx });
  expect(endOf(box("y"), to, layout)).toEqual({ xPx: middle.xPx, yPx: 55 });
  expect(endOf(box(null), to, layout)).toEqual(to);
});

test("moving begins after some pixels and then follows each of them", () => {
  const drag = { kind: "pan", from: middle, x: linear, y: linear, moved: false } as const;
  const near = { xPx: middle.xPx + 2, yPx: middle.yPx };
  expect(pannedTo(drag, near, layout)).toBeNull();
  expect(pannedTo({ ...drag, moved: true }, near, layout)?.x.lo).toBeLessThan(0);
  const half = { xPx: middle.xPx - (plot.rightPx - plot.leftPx) / 2, yPx: middle.yPx };
  expect(pannedTo(drag, half, layout)?.x).toEqual({ lo: 5, hi: 15 });
});

test("fingers that part zoom in around their middle, fingers that move take the plot along", () => {
  const from = { ...middle, apartPx: 40 };
  const wider = pinched({ x: linear, y: linear }, from, { ...middle, apartPx: 80 }, layout);
  expect(wider.x.hi - wider.x.lo).toBeCloseTo(5);
  expect((wider.x.hi + wider.x.lo) / 2).toBeCloseTo(5);
  const width = plot.rightPx - plot.leftPx;
  const moved = pinched({ x: linear, y: linear }, from, { ...from, xPx: from.xPx + width / 2 }, layout);
  expect(moved.x.lo).toBeCloseTo(-5);
});

test("the wheel zooms both axes, on the labels of one axis that one alone", () => {
  const shown = { scene, layout };
  expect(wheeled(shown, null, middle, 0.5).x).toBeDefined();
  expect(wheeled(shown, null, middle, 0.5).y).toBeDefined();
  expect(wheeled(shown, null, { ...middle, xPx: plot.leftPx - 1 }, 0.5).x).toBeUndefined();
  expect(wheeled(shown, null, { ...middle, yPx: plot.bottomPx + 1 }, 0.5).y).toBeUndefined();
});

test("several turns of the wheel in one frame add up", () => {
  const once = wheeled({ scene, layout }, null, middle, 0.5);
  const twice = wheeled({ scene, layout }, once, middle, 0.5);
  const width = (range: typeof once.x): number => (range ? range.hi - range.lo : 0);
  expect(width(twice.x)).toBeCloseTo(width(once.x) / 2);
});
