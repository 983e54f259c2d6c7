import { expect, test } from "vitest";
import type { TrialColumn } from "./trials_columns";
import { applyFilter, asFilter, brushMask, type TrialFilter } from "./trials_filter";
import { column } from "./trials_test_data";

const lr = column("hparam:lr", [0.1, 0.01, Number.NaN, 0.001]);
const opt = column("hparam:opt", [0, 1, 1, Number.NaN], { kind: "text", texts: ["adam", "sgd"] });

function passing(of: TrialColumn, filter: TrialFilter): readonly number[] {
  const mask = new Uint8Array(4).fill(1);
  applyFilter(mask, of, filter);
  return [...mask];
}

test("an interval lets pass what lies in it, and by default what has no value", () => {
  expect(passing(lr, { lo: 0.005 })).toEqual([1, 1, 1, 0]);
  expect(passing(lr, { lo: 0.005, hi: 0.05, absent: false })).toEqual([0, 1, 0, 0]);
});

test("values and expressions choose texts", () => {
  expect(passing(opt, { values: ["sgd"], absent: false })).toEqual([0, 1, 1, 0]);
  expect(passing(opt, { values: [] })).toEqual([0, 0, 0, 1]);
  expect(passing(opt, { pattern: "^ad", absent: false })).toEqual([1, 0, 0, 0]);
  // an incomplete pattern filters nothing
  expect(passing(opt, { pattern: "(" })).toEqual([1, 1, 1, 1]);
});

test("brushes of several columns and several stretches go together", () => {
  expect(brushMask(4, [lr, opt], {})).toBeNull();
  const two = {
    "hparam:lr": {
      ranges: [
        [0.05, 1],
        [0, 0.002],
      ] as const,
    },
  };
  expect([...(brushMask(4, [lr, opt], two) ?? [])]).toEqual([1, 0, 0, 1]);
  const both = { ...two, "hparam:opt": { values: ["adam"] } };
  expect([...(brushMask(4, [lr, opt], both) ?? [])]).toEqual([1, 0, 0, 0]);
  // a column that no longer exists
  expect(brushMask(4, [lr, opt], { "hparam:gone": { values: ["x"] } })).toBeNull();
});

test("a brush of one stretch can be a filter", () => {
  expect(asFilter({ ranges: [[1, 2]] })).toEqual({ lo: 1, hi: 2, absent: false });
  expect(asFilter({ values: ["adam"] })).toEqual({ values: ["adam"], absent: false });
  expect(
    asFilter({
      ranges: [
        [1, 2],
        [3, 4],
      ],
    }),
  ).toBeNull();
});
