import { expect, test } from "vitest";
import { factsOf } from "./difference";
import { valueText } from "./pixel_readout";

test("a difference comes to its mean, its most, and how many pixels differ", () => {
  const pixels = new Uint8ClampedArray([0, 0, 0, 255, 30, 0, 0, 255, 0, 60, 0, 255, 0, 0, 90, 255]);
  expect(factsOf(pixels)).toEqual({ mean: 15, most: 90, share: 0.75 });
  expect(factsOf(new Uint8ClampedArray(0))).toEqual({ mean: 0, most: 0, share: 0 });
});

test("grey is shown as one number, alpha where it is not full", () => {
  expect([valueText([7, 7, 7, 255]), valueText([1, 2, 3, 255]), valueText([1, 2, 3, 0])]).toEqual([
    "7",
    "1 2 3",
    "1 2 3 α 0",
  ]);
});
