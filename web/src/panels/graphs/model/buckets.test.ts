import { expect, test } from "vitest";
import { bucketAt, bucketsOf } from "./buckets";

test("each bucket has the indices of its key, in their order", () => {
  const buckets = bucketsOf(Int32Array.from([2, 0, 2, -1, 0, 2]), 4);
  expect([0, 1, 2, 3].map((key) => [...bucketAt(buckets, key)])).toEqual([[1, 4], [], [0, 2, 5], []]);
});

test("without keys all buckets are empty", () => {
  const buckets = bucketsOf(new Int32Array(0), 2);
  expect([...bucketAt(buckets, 0), ...bucketAt(buckets, 1)]).toEqual([]);
});
