import { expect, test } from "vitest";
import { firstSight, fitArea, kept, showing, zoomed } from "./camera";

const window = { widthPx: 1000, heightPx: 800 };

test("what fits is shown whole and in the middle, small graphs are not blown up", () => {
  const camera = fitArea({ x: 0, y: 0, w: 100, h: 100 }, window);
  expect(camera.scale).toBe(1.25);
  expect(camera.x + 500 / camera.scale).toBeCloseTo(50);
});

test("a graph that would be a sliver begins at its top, large enough to be read", () => {
  const camera = firstSight({ width: 300, height: 20_000 }, window);
  expect(camera.scale).toBeGreaterThanOrEqual(0.62);
  expect(camera.y).toBeLessThan(0);
  expect(camera.y).toBeGreaterThan(-100);
});

test("zooming keeps what is under the pointer", () => {
  const camera = { x: 10, y: 20, scale: 0.5 };
  const next = zoomed(camera, 2, 300, 400);
  expect(next.x + 300 / next.scale).toBeCloseTo(camera.x + 300 / camera.scale);
  expect(next.y + 400 / next.scale).toBeCloseTo(camera.y + 400 / camera.scale);
});

test("the graph is never lost", () => {
  const camera = kept({ x: 1e6, y: -1e6, scale: 1 }, { width: 500, height: 500 }, window);
  expect(camera.x).toBeLessThan(500);
  expect(camera.y + 800).toBeGreaterThan(0);
});

test("what is in sight already moves nothing", () => {
  const camera = { x: 0, y: 0, scale: 1 };
  expect(showing(camera, { x: 100, y: 100, w: 50, h: 30 }, window)).toBe(camera);
  const far = showing(camera, { x: 5000, y: 100, w: 50, h: 30 }, window);
  expect(far.x).toBeGreaterThan(4000);
});
