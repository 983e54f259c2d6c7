import { expect, test } from "vitest";
import { formatBytes, formatShare } from "./sizes";

test("bytes are told in the unit that fits", () => {
  expect([0, 999, 1000, 12_345, 4_800_000_000].map(formatBytes)).toEqual(["0 B", "999 B", "1.0 kB", "12 kB", "4.8 GB"]);
});

test("a part is told in the unit of the whole and is never more", () => {
  expect(formatShare(1_200_000_000, 4_800_000_000)).toEqual(["1.2", "4.8 GB"]);
  expect(formatShare(7, 5)).toEqual(["5", "5 B"]);
});
