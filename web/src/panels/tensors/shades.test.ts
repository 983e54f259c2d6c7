import { expect, test } from "vitest";
import { extentOf, isAround, rangeAround, shadeOf } from "./shades";

test("zero is in the middle where there are both signs", () => {
  expect(rangeAround(-1, 3)).toEqual({ lo: -3, hi: 3 });
  expect(rangeAround(1, 3)).toEqual({ lo: 1, hi: 3 });
  expect(isAround(rangeAround(0, 3))).toBe(false);
  expect(shadeOf(0, { lo: -3, hi: 3 })).toEqual([226, 227, 230]);
});

test("ends have the colours of the ends, beyond them too", () => {
  const range = { lo: 0, hi: 10 };
  expect(shadeOf(-5, range)).toEqual(shadeOf(0, range));
  expect(shadeOf(50, range)).toEqual([253, 231, 37]);
  expect(shadeOf(7, { lo: 7, hi: 7 })).toHaveLength(3);
});

test("what is not finite has a colour of its own and no say in the range", () => {
  expect(shadeOf(Number.NaN, { lo: 0, hi: 1 })).toEqual(shadeOf(Number.POSITIVE_INFINITY, { lo: 0, hi: 1 }));
  expect(extentOf(new Float32Array([Number.NaN, 2, -1, Number.POSITIVE_INFINITY]))).toEqual({ lo: -1, hi: 2 });
  expect(extentOf(new Float32Array([Number.NaN]))).toBe(null);
});
