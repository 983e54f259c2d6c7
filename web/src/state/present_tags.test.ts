import { expect, test } from "vitest";
import { allPresent } from "./present_tags";

test("nothing is asked when every tag must be in a run that is drawn", () => {
  expect(allPresent([3, 3], 0)).toBe(true);
  expect(allPresent([3, 3], 2)).toBe(true);
  expect(allPresent([3, 2], 2)).toBe(false);
  expect(allPresent([], 5)).toBe(true);
});
