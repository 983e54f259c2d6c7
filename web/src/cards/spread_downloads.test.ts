import { expect, test } from "vitest";
import type { Histograms, Percentiles } from "../state/spreads";
import { csvHead, csvRows, jsonRows } from "./spread_downloads";

const HISTOGRAMS: Histograms = {
  kind: "histograms",
  exact: BigInt64Array.of(9007199254740993n, 9007199254740994n),
  steps: Float64Array.of(9007199254740992, 9007199254740994),
  walls: Float64Array.of(1.5, 2),
  odd: 0,
  first: Uint32Array.of(0, 2, 2),
  lefts: Float64Array.of(-1, 0),
  rights: Float64Array.of(0, Number.POSITIVE_INFINITY),
  counts: Float64Array.of(3, 4),
};

test("a row per bucket, with all digits of the step", () => {
  expect(csvHead(HISTOGRAMS)).toBe("step,wall_time,left,right,count\n");
  expect(csvRows(HISTOGRAMS)).toBe("9007199254740993,1.5,-1,0,3\n9007199254740993,1.5,0,Infinity,4\n");
});

test("an object per step; a step without buckets is there, and what JSON cannot say is a string", () => {
  expect(jsonRows(HISTOGRAMS)).toBe(
    '{"step":9007199254740993,"wall_time":1.5,"buckets":[[-1,0,3],[0,"Infinity",4]]},\n' +
      '{"step":9007199254740994,"wall_time":2,"buckets":[]}',
  );
});

test("percentiles: a column for each", () => {
  const own = Float64Array.of(7);
  const values = Float64Array.of(1, 2, 3);
  const spread: Percentiles = {
    kind: "percentiles",
    exact: own,
    steps: own,
    walls: own,
    odd: 0,
    lines: 3,
    basisPoints: [0, 668, 10000],
    values,
  };
  expect(csvHead(spread) + csvRows(spread)).toBe("step,wall_time,p0,p6.68,p100\n7,7,1,2,3\n");
  expect(JSON.parse(jsonRows(spread)).percentiles).toEqual([
    [0, 1],
    [6.68, 2],
    [100, 3],
  ]);
});
