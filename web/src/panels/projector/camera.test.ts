import { expect, test } from "vitest";
import { firstCamera, lensOf, moved, projected, rotated, zoomed } from "./camera";

const place = (camera = firstCamera(false, 1), x = 0, y = 0, z = 0, flat = false): readonly number[] | null =>
  projected(lensOf(camera, 400, 400, flat), x, y, z);

test("the middle of space is the middle of the picture", () => {
  expect(place()?.slice(0, 2)).toEqual([200, 200]);
  expect(place(firstCamera(true, 1), 0, 0, 0, true)?.slice(0, 2)).toEqual([200, 200]);
});

test("at first every point within 1 is in sight, from wherever one looks", () => {
  for (const theta of [0, 1, 2.5, -2]) {
    const camera = { ...firstCamera(false, 1), theta };
    for (let i = 0; i < 200; i++) {
      const [a, b] = [i * 2.4, Math.acos(1 - (2 * (i + 0.5)) / 200)];
      const [x = -1, y = -1] =
        place(camera, Math.sin(b) * Math.cos(a), Math.cos(b), Math.sin(b) * Math.sin(a))?.slice(0, 2) ?? [];
      expect(Math.min(x, y)).toBeGreaterThan(0);
      expect(Math.max(x, y)).toBeLessThan(400);
    }
  }
});

test("a narrow picture stands farther back", () => {
  expect(firstCamera(false, 0.5).distance).toBeCloseTo(2 * firstCamera(false, 1).distance);
});

test("what is under the pointer goes with it", () => {
  for (const flat of [true, false]) {
    const camera = firstCamera(flat, 1);
    const [x = 0, y = 0] = place(moved(camera, 30, -20, 400, flat), 0, 0, 0, flat) ?? [];
    expect(x).toBeCloseTo(230);
    expect(y).toBeCloseTo(180);
  }
});

test("zooming into a flat picture leaves what is under the pointer there", () => {
  const camera = firstCamera(true, 1);
  const [x0 = 0, y0 = 0] = place(camera, 0.5, 0.25, 0, true) ?? [];
  const near = zoomed(camera, 0.5, true, x0 - 200, y0 - 200, 400);
  const [x1 = 0, y1 = 0] = place(near, 0.5, 0.25, 0, true) ?? [];
  expect(x1).toBeCloseTo(x0);
  expect(y1).toBeCloseTo(y0);
});

test("turning goes round and does not tip over", () => {
  let camera = firstCamera(false, 1);
  for (let i = 0; i < 50; i++) camera = rotated(camera, 90, 90, 400);
  expect(Math.abs(camera.theta)).toBeLessThanOrEqual(Math.PI);
  expect(camera.phi).toBeGreaterThan(0);
  expect(camera.phi).toBeLessThan(Math.PI);
});

test("what is behind the eye is not in the picture", () => {
  const camera = { theta: 0, phi: Math.PI / 2, x: 0, y: 0, z: 0, distance: 1 };
  expect(place(camera, 0, 0, 2)).toBeNull();
});
