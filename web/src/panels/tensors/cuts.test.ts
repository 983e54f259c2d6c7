import { expect, test } from "vitest";
import { cutFor } from "./cuts";

test("the last two axes, a column of a row, and a single number", () => {
  expect(cutFor(undefined, [2, 3, 4, 5])).toEqual({ rowAxis: 2, columnAxis: 3, index: [0, 0, 0, 0] });
  expect(cutFor(undefined, [7])).toEqual({ rowAxis: 0, columnAxis: -1, index: [0] });
  expect(cutFor(undefined, [])).toEqual({ rowAxis: -1, columnAxis: -1, index: [] });
});

test("what was chosen for another shape is not forced upon this one", () => {
  expect(cutFor({ rows: 0, columns: 1, index: [0, 0, 9, 4] }, [2, 3, 4, 5])).toEqual({
    rowAxis: 0,
    columnAxis: 1,
    index: [0, 0, 3, 4],
  });
  expect(cutFor({ rows: 9, columns: 9 }, [2, 3])).toEqual({ rowAxis: 0, columnAxis: 1, index: [0, 0] });
  expect(cutFor({ rows: 1, columns: 1 }, [2, 3])).toEqual({ rowAxis: 0, columnAxis: 1, index: [0, 0] });
  expect(cutFor({ rows: 2, columns: 0 }, [2, 3])).toEqual({ rowAxis: 1, columnAxis: 0, index: [0, 0] });
});
