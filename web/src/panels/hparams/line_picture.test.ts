import { expect, test } from "vitest";
import { nearestLine } from "./line_picture";
import { sampled, shuffled } from "./samples";

const scene = {
  xs: [0, 100, 200],
  ys: [Float32Array.from([0, 100]), Float32Array.from([0, 100]), Float32Array.from([100, 0])],
};
const all = Int32Array.from([0, 1]);

test("the nearest line is told, or none that is near enough", () => {
  expect(nearestLine(scene, all, 50, 3, 8)).toBe(0);
  expect(nearestLine(scene, all, 50, 97, 8)).toBe(1);
  expect(nearestLine(scene, all, 50, 50, 8)).toBe(-1);
  expect(nearestLine(scene, Int32Array.from([0]), 175, 75, 2)).toBe(0);
});

test("a shuffled list has all trials, the same way each time", () => {
  const list = Int32Array.from({ length: 100 }, (_, at) => at);
  expect([...shuffled(list)].sort((a, b) => a - b)).toEqual([...list]);
  expect(shuffled(list)).toEqual(shuffled(list));
  expect(shuffled(list)).not.toEqual(list);
  expect(sampled(list, 10)).toHaveLength(10);
  expect(sampled(list, 100)).toBe(list);
});
