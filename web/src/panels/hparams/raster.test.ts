import { expect, test } from "vitest";
import { drawLine, drawStamp, fillBox, pixelOf, raster, stamp } from "./raster";

const WHITE = 0xffffffff;
const RED = pixelOf("#ff0000");

function white(width: number, height: number) {
  const made = raster(width, height);
  made.pixels.fill(WHITE);
  return made;
}

test("colours are kept as a canvas keeps them", () => {
  expect(pixelOf("#112233")).toBe(0xff332211);
  expect(pixelOf("#fff")).toBe(WHITE);
});

test("a line touches every column between its ends and nothing else", () => {
  const picture = white(10, 10);
  drawLine(picture, 0, 0, 9, 9, RED, 256);
  const touched = [...picture.pixels].filter((pixel) => pixel !== WHITE);
  expect(touched).toHaveLength(9);
  expect(touched.every((pixel) => pixel === RED)).toBe(true);
});

test("lines beyond the edge are kept inside", () => {
  const picture = white(4, 4);
  drawLine(picture, -100, -100, 100, 100, RED, 256);
  drawLine(picture, 3, 3.9, 3, 3.9, RED, 128);
  expect(picture.pixels).toHaveLength(16);
  expect(picture.pixels[0]).toBe(RED);
});

test("a share of a colour lies between the two", () => {
  const picture = white(3, 1);
  drawLine(picture, 0, 0, 0, 0, pixelOf("#000000"), 128);
  expect((picture.pixels[0] ?? 0) & 0xff).toBe(127);
  expect((picture.pixels[0] ?? 0) >>> 24).toBe(0xff);
  expect(picture.pixels[1]).toBe(WHITE);
});

test("a dot is round and a box is filled", () => {
  const picture = white(9, 9);
  drawStamp(picture, stamp(1, 9, 256), 4, 4, RED);
  expect(picture.pixels[4 * 9 + 4]).toBe(RED);
  expect(picture.pixels[4 * 9 + 5]).not.toBe(WHITE);
  expect(picture.pixels[2 * 9 + 2]).toBe(WHITE);
  fillBox(picture, -3, -3, 2, 2, RED, 256);
  expect([picture.pixels[0], picture.pixels[1], picture.pixels[2]]).toEqual([RED, RED, WHITE]);
});
