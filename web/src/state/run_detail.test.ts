import { expect, test } from "vitest";
import { diffOf, leavesOf } from "./run_detail";

test("nested configs become paths", () => {
  expect(leavesOf({ model: { layers: [1, 2], opt: { lr: 0.1 } }, seed: null, empty: {} })).toEqual([
    { path: "model.layers", value: [1, 2] },
    { path: "model.opt.lr", value: 0.1 },
    { path: "seed", value: null },
    { path: "empty", value: {} },
  ]);
  expect(leavesOf({})).toEqual([]);
});

test("what one has and the other has not is a difference", () => {
  const rows = diffOf([{ a: 1, b: "" }, { a: 1 }]);
  expect(rows.map(({ path, differs }) => [path, differs])).toEqual([
    ["a", false],
    ["b", true],
  ]);
});
