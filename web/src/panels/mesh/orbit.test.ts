import { expect, test } from "vitest";
import {
  ANGLES,
  anglesTo,
  basisOf,
  fitTo,
  moved,
  project,
  projectionOf,
  rotated,
  type Up,
  type Vector,
  zoomed,
} from "./orbit";

const BOUNDS = { lo: [-1, -2, -3], hi: [3, 2, 1] } as const;
const LENS = { fov: 50, flat: false };

function corners(): readonly Vector[] {
  const { lo, hi } = BOUNDS;
  return [lo[0], hi[0]].flatMap((x) => [lo[1], hi[1]].flatMap((y) => [lo[2], hi[2]].map((z): Vector => [x, y, z])));
}

test.each(["y", "z"] as const)("with %s upwards the three directions are at right angles, and up is up", (up: Up) => {
  const { right, up: above, back } = basisOf(ANGLES, up);
  const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  for (const one of [right, above, back]) expect(dot(one, one)).toBeCloseTo(1);
  expect([dot(right, above), dot(right, back), dot(above, back)].map((one) => Math.abs(one) < 1e-12)).toEqual([
    true,
    true,
    true,
  ]);
  expect(above[up === "y" ? 1 : 2]).toBeGreaterThan(0.5);
});

test.each([
  [1, false],
  [0.4, false],
  [3, false],
  [0.4, true],
])("everything is in sight at aspect %s, flat %s", (aspect, flat) => {
  const lens = { fov: 50, flat };
  for (const up of ["y", "z"] as const) {
    const projection = projectionOf(fitTo(BOUNDS, ANGLES, lens, aspect), lens, 400, up);
    for (const [x, y, z] of corners()) {
      const [px, py, depth] = project(projection, x, y, z) ?? [Number.NaN, 0, 0];
      expect(Math.abs(px)).toBeLessThan(200 * aspect + 1);
      expect(Math.abs(py)).toBeLessThan(201);
      expect(depth).toBeGreaterThan(0);
    }
  }
});

test("what is under the pointer goes with it", () => {
  const before = fitTo(BOUNDS, ANGLES, LENS, 1);
  const after = moved(before, 30, -20, 400, LENS, "y");
  const [x = 0, y = 0] = project(projectionOf(after, LENS, 400, "y"), before.x, before.y, before.z) ?? [];
  expect(x).toBeCloseTo(30);
  expect(y).toBeCloseTo(-20);
});

test("a turn by the whole height is a whole turn, and the poles stay where they are", () => {
  const camera = fitTo(BOUNDS, ANGLES, LENS, 1);
  expect(rotated(camera, 400, 0, 400).theta).toBeCloseTo(camera.theta);
  expect(rotated(camera, 0, 1e6, 400).phi).toBeGreaterThan(0);
  expect(rotated(camera, 0, -1e6, 400).phi).toBeLessThan(Math.PI);
});

test("an eye that was logged is turned into angles", () => {
  for (const up of ["y", "z"] as const) {
    const { back } = basisOf(ANGLES, up);
    const angles = anglesTo([5 + back[0], back[1], back[2]], [5, 0, 0], up);
    expect(angles?.theta).toBeCloseTo(ANGLES.theta);
    expect(angles?.phi).toBeCloseTo(ANGLES.phi);
  }
  expect(anglesTo([1, 1, 1], [1, 1, 1], "y")).toBe(null);
});

test("zooming ends somewhere, and what is behind the eye is nowhere", () => {
  const camera = fitTo(BOUNDS, ANGLES, LENS, 1);
  expect(zoomed(camera, 1e9, 1).distance).toBe(1e3);
  expect(zoomed(camera, 0, 1).distance).toBe(1e-3);
  const { back } = basisOf(camera, "y");
  const far = 2 * camera.distance;
  expect(
    project(
      projectionOf(camera, LENS, 400, "y"),
      camera.x + far * back[0],
      camera.y + far * back[1],
      camera.z + far * back[2],
    ),
  ).toBe(null);
});

test("a single point can be looked at", () => {
  const camera = fitTo({ lo: [0, 0, 0], hi: [0, 0, 0] }, ANGLES, LENS, 1);
  expect(camera.distance).toBeGreaterThan(0);
});
