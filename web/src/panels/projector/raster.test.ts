import { expect, test } from "vitest";
import { firstCamera, lensOf } from "./camera";
import { backToFront, look, makeSeen, mixed, pixelOf, putDisc } from "./raster";

const lens = lensOf({ ...firstCamera(false, 1), theta: 0, phi: Math.PI / 2 }, 200, 200, false);

test("far points come before near ones", () => {
  const seen = makeSeen(3);
  look(lens, Float32Array.of(0, 0, 0.9, 0, 0, -0.9, 0, 0, 0), null, 1, null, seen);
  const order = [...backToFront(seen, false).subarray(0, 3)].map((at) => seen.row[at]);
  expect(order).toEqual([1, 2, 0]);
});

test("points without a place and points beside the picture are not seen", () => {
  const seen = makeSeen(4);
  look(lens, Float32Array.of(Number.NaN, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0, 40), null, 1, null, seen);
  expect([...seen.row.subarray(0, seen.count)]).toEqual([1]);
});

test("every so many points, or only some of them", () => {
  const positions = new Float32Array(30);
  const seen = makeSeen(10);
  look(lens, positions, null, 3, null, seen);
  expect([...seen.row.subarray(0, seen.count)]).toEqual([0, 3, 6, 9]);
  look(lens, positions, Uint32Array.of(2, 5), 1, null, seen);
  expect([...seen.row.subarray(0, seen.count)]).toEqual([2, 5]);
});

test("a disc is whole in its middle, soft at its edge, and stays inside the picture", () => {
  const picture = { width: 20, height: 20, pixels: new Uint32Array(400).fill(pixelOf("#ffffff")) };
  putDisc(picture, 10, 10, 4, pixelOf("#000000"), 256);
  expect(picture.pixels[10 * 20 + 10]).toBe(pixelOf("#000000"));
  const edge = (picture.pixels[10 * 20 + 14] ?? 0) & 255;
  expect(edge).toBeGreaterThan(60);
  expect(edge).toBeLessThan(200);
  expect(picture.pixels[10 * 20 + 18]).toBe(pixelOf("#ffffff"));
  putDisc(picture, 0, 0, 6, pixelOf("#ff0000"), 256);
  putDisc(picture, 19.9, 19.9, 6, pixelOf("#ff0000"), 256);
  expect(picture.pixels[0]).toBe(pixelOf("#ff0000"));
  // a disc that crosses the right edge does not wrap around to the left edge
  expect(picture.pixels[18 * 20]).toBe(pixelOf("#ffffff"));
});

test("colours are pixels", () => {
  expect(pixelOf("#102030")).toBe(0xff302010);
  expect(pixelOf("#fff")).toBe(pixelOf("#ffffff"));
  expect(mixed(pixelOf("#000000"), pixelOf("#ffffff"), 0)).toBe(pixelOf("#000000"));
  expect(mixed(pixelOf("#000000"), pixelOf("#ffffff"), 1)).toBe(pixelOf("#ffffff"));
});
