// Computes what a scene of histograms or percentiles shows of its data: the steps, the ranges of both axes, the bars.

import { edgesOf, rebin, type Stretch, widened } from "../base/rebin";
import { type Framed, type Layout, layoutOf } from "./layout";
import { scaleOf } from "./scales";
import type { HistogramData, PercentileData, SpreadAxes, SpreadData, SpreadScene, TimeAxis } from "./spread_types";
import type { Axis, Range } from "./types";

/** The same number as in TensorBoard. */
export const EVEN_BINS = 30;

/** Bars of the shown steps: those of shown[i] have the indices first[i] to first[i + 1]. */
export type Bars = {
  readonly first: Uint32Array;
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
  readonly counts: Float64Array;
  /** Highest visible count; 0 if all counts are 0. */
  readonly most: number;
};

export type Plan = {
  readonly axes: SpreadAxes;
  readonly layout: Layout;
  /** Per step of the data: its position on the time axis. */
  readonly times: Float64Array;
  /** Indices of the visible steps in the data, by time. */
  readonly shown: readonly number[];
  /** Null for percentiles. */
  readonly bars: Bars | null;
  readonly empty: boolean;
};

export function planOf(scene: SpreadScene, data: SpreadData): Plan {
  const times = timesOf(scene.time, data);
  const order = Array.from(times.keys()).filter((i) => Number.isFinite(times[i]));
  order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
  const { times: range } = scene;
  const shown = range === null ? order : order.filter((i) => isWithin(range, times[i] ?? Number.NaN));
  return data.kind === "histograms"
    ? histogramPlan(scene, data, times, shown)
    : percentilePlan(scene, data, times, shown);
}

export function timesOf(
  time: { readonly axis: TimeAxis; readonly origin: number },
  { steps, walls }: Pick<SpreadData, "steps" | "walls">,
): Float64Array {
  if (time.axis === "step") return steps;
  return time.axis === "wall" ? walls : walls.map((wall) => wall - time.origin);
}

/** The ends are inside, even after rounding by the conversion to pixels. */
export function isWithin({ lo, hi }: Range, time: number): boolean {
  const slack = (hi - lo) * 1e-9;
  return time >= lo - slack && time <= hi + slack;
}

// ---- histograms

function histogramPlan(scene: SpreadScene, data: HistogramData, times: Float64Array, shown: readonly number[]): Plan {
  const ends = widened(edgesOf(data) ?? { lo: 0, hi: 1 });
  const values = scene.values ?? ends;
  const bars = barsOf(scene, data, shown, values, ends);
  const value: Axis = { scale: "linear", ...values, format: "number" };
  const time = timeAxis(scene, times, shown, scene.look === "heat");
  const rise = scene.look === "offset" ? riseOf(shown.length) : 0;
  const count: Axis = {
    scale: scene.logCounts ? "symlog" : "linear",
    lo: 0,
    hi: bars.most > 0 ? bars.most * (scene.logCounts ? 1.2 : 1.05) : 1,
    format: "number",
  };
  const axes: SpreadAxes =
    scene.look === "heat"
      ? { x: time, y: value, rise }
      : { x: value, y: scene.look === "overlay" ? count : time, rise };
  return {
    axes,
    layout: logged(spreadLayout(scene, axes), scene, times, shown),
    times,
    shown,
    bars,
    empty: bars.most === 0,
  };
}

/** The axis of a single ridge is labeled with its own time only. */
function logged(layout: Layout, scene: SpreadScene, times: Float64Array, shown: readonly number[]): Layout {
  const time = times[shown[0] ?? -1];
  if (scene.look !== "offset" || scene.times !== null || time === undefined || !(times[shown.at(-1) ?? -1] === time)) {
    return layout;
  }
  return { ...layout, yTicks: layout.yTicks.filter(({ value }) => value >= time) };
}

/** Ridges overlap: a ridge is as high as a few rows, and a single one uses all the space. */
function riseOf(ridges: number): number {
  return ridges < 2 ? 0.9 : ridges < 4 ? 0.5 : 0.34;
}

function barsOf(
  scene: SpreadScene,
  data: HistogramData,
  shown: readonly number[],
  values: Stretch,
  ends: Stretch,
): Bars {
  return scene.bins === "even" ? evenBars(data, shown, values, ends) : loggedBars(data, shown, values, ends);
}

function evenBars(data: HistogramData, shown: readonly number[], values: Stretch, ends: Stretch): Bars {
  const counts = new Float64Array(shown.length * EVEN_BINS);
  const [lefts, rights] = [new Float64Array(counts.length), new Float64Array(counts.length)];
  const width = (values.hi - values.lo) / EVEN_BINS;
  shown.forEach((step, row) => {
    const at = row * EVEN_BINS;
    rebin(data, [data.first[step] ?? 0, data.first[step + 1] ?? 0], values, ends, EVEN_BINS, counts, at);
    for (let bin = 0; bin < EVEN_BINS; bin++) {
      lefts[at + bin] = values.lo + bin * width;
      rights[at + bin] = values.lo + (bin + 1) * width;
    }
  });
  const first = Uint32Array.from({ length: shown.length + 1 }, (_, row) => row * EVEN_BINS);
  let most = 0;
  for (const count of counts) if (count > most) most = count;
  return { first, lefts, rights, counts, most };
}

function loggedBars(data: HistogramData, shown: readonly number[], values: Stretch, ends: Stretch): Bars {
  const total = shown.reduce((sum, step) => sum + (data.first[step + 1] ?? 0) - (data.first[step] ?? 0), 0);
  const first = new Uint32Array(shown.length + 1);
  const [lefts, rights, counts] = [new Float64Array(total), new Float64Array(total), new Float64Array(total)];
  let [at, most] = [0, 0];
  shown.forEach((step, row) => {
    for (let i = data.first[step] ?? 0; i < (data.first[step + 1] ?? 0); i++, at++) {
      const left = Math.max(ends.lo, data.lefts[i] ?? 0);
      const right = Math.min(ends.hi, data.rights[i] ?? 0);
      const count = Math.max(0, data.counts[i] || 0);
      [lefts[at], rights[at], counts[at]] = [left, Math.max(left, right), count];
      if (count > most && right >= values.lo && left <= values.hi) most = count;
    }
    first[row + 1] = at;
  });
  return { first, lefts, rights, counts, most };
}

/** Returns the relative height of a count, from 0 to 1. */
export function levelOf(count: number, most: number, log: boolean): number {
  if (!(count > 0 && most > 0)) return 0;
  return Math.min(1, log ? Math.log1p(count) / Math.log1p(most) : count / most);
}

// ---- percentiles

// share of the span left free above and below
const PADDING = 0.05;

function percentilePlan(scene: SpreadScene, data: PercentileData, times: Float64Array, shown: readonly number[]): Plan {
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const step of shown) {
    for (let i = step * data.lines; i < (step + 1) * data.lines; i++) {
      const value = data.values[i] ?? Number.NaN;
      if (!Number.isFinite(value)) continue;
      if (value < lo) lo = value;
      if (value > hi) hi = value;
    }
  }
  const empty = lo > hi;
  const span = empty ? { lo: 0, hi: 1 } : widened({ lo, hi });
  const padding = hi > lo ? PADDING * (hi - lo) : 0;
  const values = scene.values ?? { lo: span.lo - padding, hi: span.hi + padding };
  const axes: SpreadAxes = {
    x: timeAxis(scene, times, shown, false),
    y: { scale: "linear", ...values, format: "number" },
    rise: 0,
  };
  return { axes, layout: spreadLayout(scene, axes), times, shown, bars: null, empty };
}

// ---- axes

/** `columns`: steps have a width, as in a heat map. */
function timeAxis(scene: SpreadScene, times: Float64Array, shown: readonly number[], columns: boolean): Axis {
  const axis = { scale: "linear", format: scene.time.axis } as const;
  if (scene.times !== null) return { ...axis, ...scene.times };
  const lo = times[shown[0] ?? -1] ?? 0;
  const hi = times[shown.at(-1) ?? -1] ?? 0;
  if (!(hi > lo)) {
    // a single step is centered, a single ridge is at the bottom
    return scene.look === "offset" ? { ...axis, lo: lo - 1, hi } : { ...axis, lo: lo - 0.5, hi: hi + 0.5 };
  }
  if (!columns) return { ...axis, lo, hi };
  const edges = columnEdges(times, shown);
  return { ...axis, lo: edges[0] ?? lo, hi: edges.at(-1) ?? hi };
}

/** Returns the edges between steps, halfway to the neighbors: one more edge than steps. */
export function columnEdges(times: Float64Array, shown: readonly number[]): readonly number[] {
  const at = (row: number): number => times[shown[row] ?? 0] ?? 0;
  const last = shown.length - 1;
  if (last < 1) return last < 0 ? [] : [at(0) - 0.5, at(0) + 0.5];
  const between = Array.from({ length: last }, (_, row) => (at(row) + at(row + 1)) / 2);
  return [at(0) - ((between[0] ?? 0) - at(0)), ...between, at(last) + (at(last) - (between[last - 1] ?? 0))];
}

/**
 * Page and worker compute the same layout. Ridges go from the oldest, at the top and behind, to the newest, at the
 * bottom and in front.
 */
export function spreadLayout(scene: Omit<Framed, "x" | "y">, axes: SpreadAxes): Layout {
  const framed = layoutOf({ ...pickFrame(scene), x: axes.x, y: axes.y });
  if (axes.rise === 0) return framed;
  const { topPx, bottomPx } = framed.plot;
  const backPx = topPx + axes.rise * (bottomPx - topPx);
  return { ...framed, y: scaleOf(axes.y, backPx, bottomPx) };
}

function pickFrame({ widthPx, heightPx, ratio, font, locale }: Omit<Framed, "x" | "y">): Omit<Framed, "x" | "y"> {
  return { widthPx, heightPx, ratio, font, locale };
}
