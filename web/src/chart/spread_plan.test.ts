import { expect, test } from "vitest";
import { toPx } from "./scales";
import { pickSpread } from "./spread_pick";
import { columnEdges, EVEN_BINS, planOf } from "./spread_plan";
import type { HistogramData, PercentileData, SpreadScene } from "./spread_types";

const SCENE: SpreadScene = {
  widthPx: 400,
  heightPx: 300,
  ratio: 1,
  font: "11px sans-serif",
  locale: "en",
  colors: {
    background: "#ffffff",
    text: "#000000",
    quiet: "#555555",
    grid: "#dddddd",
    axis: "#888888",
    accent: "#0000ff",
  },
  color: "#336699",
  look: "offset",
  time: { axis: "step", origin: 100 },
  values: null,
  times: null,
  bins: "even",
  logCounts: false,
  pointed: null,
  chosen: null,
  within: null,
};

type Row = readonly [left: number, right: number, count: number];

function histograms(...steps: readonly { readonly step: number; readonly rows: readonly Row[] }[]): HistogramData {
  const rows = steps.flatMap((one) => one.rows);
  let total = 0;
  const first = [0, ...steps.map((one) => (total += one.rows.length))];
  const column = (at: 0 | 1 | 2): Float64Array => Float64Array.from(rows, (row) => row[at]);
  return {
    kind: "histograms",
    steps: Float64Array.from(steps, ({ step }) => step),
    walls: Float64Array.from(steps, ({ step }) => 100 + 2 * step),
    first: Uint32Array.from(first),
    lefts: column(0),
    rights: column(1),
    counts: column(2),
  };
}

const TWO = histograms(
  { step: 10, rows: [[0, 3, 6]] },
  {
    step: 20,
    rows: [
      [-1, 1, 2],
      [1, 2, 40],
    ],
  },
);

test("thirty even bins reach from the lowest to the highest edge of all steps", () => {
  const { bars, axes } = planOf(SCENE, TWO);
  expect([axes.x.lo, axes.x.hi]).toEqual([-1, 3]);
  expect(bars?.counts.length).toBe(2 * EVEN_BINS);
  const sums = [0, 1].map((row) => bars?.counts.slice(row * EVEN_BINS, (row + 1) * EVEN_BINS).reduce((a, b) => a + b));
  expect(sums[0]).toBeCloseTo(6, 9);
  expect(sums[1]).toBeCloseTo(42, 9);
});

test("logged bins stay as they are", () => {
  const { bars } = planOf({ ...SCENE, bins: "logged" }, TWO);
  expect([...(bars?.lefts ?? [])]).toEqual([0, -1, 1]);
  expect([...(bars?.rights ?? [])]).toEqual([3, 1, 2]);
  expect(bars?.most).toBe(40);
});

test("the newest ridge is below, in front, the oldest above", () => {
  const { layout } = planOf(SCENE, TWO);
  expect(toPx(layout.y, 20)).toBeCloseTo(layout.plot.bottomPx, 6);
  expect(toPx(layout.y, 10)).toBeLessThan(toPx(layout.y, 20));
  expect(toPx(layout.y, 10)).toBeGreaterThan(layout.plot.topPx);
});

test("time is the step, or seconds since the run began, or the clock", () => {
  expect([...planOf(SCENE, TWO).times]).toEqual([10, 20]);
  expect([...planOf({ ...SCENE, time: { axis: "relative", origin: 100 } }, TWO).times]).toEqual([20, 40]);
  expect([...planOf({ ...SCENE, time: { axis: "wall", origin: 100 } }, TWO).times]).toEqual([120, 140]);
});

test("a stretch of time leaves out the steps around it", () => {
  expect(planOf({ ...SCENE, times: { lo: 15, hi: 20 } }, TWO).shown).toEqual([1]);
  expect(planOf({ ...SCENE, times: { lo: 30, hi: 40 } }, TWO).shown).toEqual([]);
});

test("steps that go back are drawn in the order of time", () => {
  const back = histograms({ step: 5, rows: [[0, 1, 1]] }, { step: 2, rows: [[0, 1, 1]] });
  expect(planOf(SCENE, back).shown).toEqual([1, 0]);
});

test("columns of a heat map meet half-way", () => {
  expect(columnEdges(Float64Array.of(0, 10, 30), [0, 1, 2])).toEqual([-5, 5, 20, 40]);
  expect(columnEdges(Float64Array.of(7), [0])).toEqual([6.5, 7.5]);
  expect(columnEdges(new Float64Array(0), [])).toEqual([]);
});

test("nothing counted, no buckets, and a single value are told apart from trouble", () => {
  expect(planOf(SCENE, histograms({ step: 1, rows: [] })).empty).toBe(true);
  expect(planOf(SCENE, histograms({ step: 1, rows: [[0, 1, 0]] })).empty).toBe(true);
  const single = planOf(SCENE, histograms({ step: 1, rows: [[3, 3, 9]] }));
  expect(single.empty).toBe(false);
  expect(single.bars?.most).toBe(9);
});

test("the pointer finds step and bin, in every look", () => {
  for (const look of ["offset", "overlay", "heat"] as const) {
    const scene: SpreadScene = { ...SCENE, look, bins: "logged" };
    const plan = planOf(scene, TWO);
    const { x, y, plot } = plan.layout;
    const at =
      look === "heat" ? [toPx(x, 20), toPx(y, 1.5)] : [toPx(x, 1.5), plot.bottomPx - (look === "offset" ? 20 : 250)];
    const pick = pickSpread(scene, plan, at[0] ?? 0, at[1] ?? 0);
    expect(pick).toEqual({ at: 1, bin: { left: 1, right: 2, count: 40 } });
  }
});

test("a ridge behind is found where nothing is in front of it", () => {
  const scene: SpreadScene = { ...SCENE, bins: "logged" };
  const plan = planOf(scene, TWO);
  const pick = pickSpread(scene, plan, toPx(plan.layout.x, 2.5), toPx(plan.layout.y, 10) - 1);
  expect(pick).toEqual({ at: 0, bin: { left: 0, right: 3, count: 6 } });
});

test("a bucket of a single value can be pointed at", () => {
  const scene: SpreadScene = { ...SCENE, bins: "logged" };
  const rows: readonly Row[] = [
    [0, 4, 1],
    [2, 2, 50],
  ];
  const plan = planOf(scene, histograms({ step: 1, rows }));
  const pick = pickSpread(scene, plan, toPx(plan.layout.x, 2) + 0.5, plan.layout.plot.bottomPx - 5);
  expect(pick?.bin?.count).toBe(50);
});

test("percentiles: the axis of values leaves some room, gaps and endless values do not count", () => {
  const data: PercentileData = {
    kind: "percentiles",
    steps: Float64Array.of(1, 2),
    walls: Float64Array.of(1, 2),
    lines: 3,
    values: Float64Array.of(0, 1, 10, Number.NaN, 2, Number.POSITIVE_INFINITY),
  };
  const plan = planOf({ ...SCENE, look: "percentiles" }, data);
  expect([plan.axes.y.lo, plan.axes.y.hi]).toEqual([-0.5, 10.5]);
  expect(pickSpread({ ...SCENE, look: "percentiles" }, plan, toPx(plan.layout.x, 1.9), 50)).toEqual({
    at: 1,
    bin: null,
  });
});
