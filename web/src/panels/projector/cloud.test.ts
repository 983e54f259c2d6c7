import { expect, test } from "vitest";
import { cloudOf, radiusFor } from "./cloud";

test("points are centred and fill the space", () => {
  const { positions } = cloudOf(Float32Array.of(10, 0, 0, 14, 0, 0), 2, 3);
  expect([...positions]).toEqual([-1, 0, 0, 1, 0, 0].map((value) => (Object.is(value, 0) ? 0 : value)));
});

test("flat layouts lie in a plane", () => {
  const { positions } = cloudOf(Float32Array.of(0, 0, 0, 2, 2, 0, 2, 2), 4, 2);
  expect([positions[2], positions[5], positions[8], positions[11]]).toEqual([0, 0, 0, 0]);
});

test("a point without a place does not spoil the others", () => {
  const { positions } = cloudOf(
    Float32Array.of(Number.NaN, 1, 1, 0, 0, 0, 2, 0, 0, Number.POSITIVE_INFINITY, 0, 0),
    4,
    3,
  );
  expect(positions[0]).toBeNaN();
  expect(positions[9]).toBeNaN();
  expect([positions[3], positions[6]].every(Number.isFinite)).toBe(true);
});

test("one far point does not make a speck of a thousand", () => {
  const coordinates = new Float32Array(3 * 1001);
  for (let i = 0; i < 1000; i++) coordinates[3 * i] = i % 2 === 0 ? -1 : 1;
  coordinates[3000] = 1000;
  const { positions } = cloudOf(coordinates, 1001, 3);
  expect(Math.abs(positions[0] ?? 0)).toBeGreaterThan(0.4);
});

test("points all in one place are in the middle", () => {
  expect([...cloudOf(new Float32Array(6).fill(7), 2, 3).positions]).toEqual([0, 0, 0, 0, 0, 0]);
  expect(cloudOf(new Float32Array(), 0, 3).positions.length).toBe(0);
});

test("points that alone are shown fill the space", () => {
  const coordinates = Float32Array.of(0, 0, 0, 100, 0, 0, 101, 0, 0);
  const { positions } = cloudOf(coordinates, 3, 3, Uint32Array.of(1, 2));
  expect(positions[3]).toBeCloseTo(-1);
  expect(positions[6]).toBeCloseTo(1);
});

test("many points are small, and none vanishes", () => {
  expect(radiusFor(10)).toBeGreaterThan(radiusFor(10_000));
  expect(radiusFor(1e9)).toBeGreaterThan(0.5);
});
