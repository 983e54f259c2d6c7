import { expect, test } from "vitest";
import { thumbnailWidth } from "./thumbnail";

test("a picture is asked for as wide as the screen shows it, in few sizes", () => {
  expect(
    [
      [300, 1],
      [320, 1],
      [321, 1],
      [300, 2],
      [3000, 1],
    ].map(([px = 0, ratio = 1]) => thumbnailWidth(px, ratio, 1e6)),
  ).toEqual([320, 320, 480, 640, undefined]);
});

test("a small file is asked for as it is", () => {
  expect(thumbnailWidth(300, 1, 3000)).toBe(undefined);
});
