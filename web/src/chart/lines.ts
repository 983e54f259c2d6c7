// Converts one series to a polyline in pixels. Columns and exact points give the same type, so drawing knows only this.

import { ABSENT, type ColumnCodes, valueOfCode, valueReader } from "../base/columns";
import type { LayerData } from "./layers";
import { bendOf, type Scale, toPx, unbendOf } from "./scales";

/** A list of vertices; y is NaN where the line is interrupted. Reused for all series, to avoid garbage. */
export type Polyline = {
  xs: Float64Array;
  ys: Float64Array;
  length: number;
  /** Indices of vertices at which the line was cut because x decreases; the next vertex begins a new part. */
  cuts: number[];
};

export type View = { readonly x: Scale; readonly y: Scale };

export type Which = "raw" | "smoothed";

// Far enough outside that no slope changes visibly, near enough that single precision has tenths of a pixel.
const FAR_PX = 1e6;
// Codes are converted to pixels by a lookup table unless there are more different ones than this.
const TABLE_CODES = 1 << 16;
// If highest and lowest value of a column are nearer than this, they are one vertex.
const FLAT_PX = 0.25;

export function newPolyline(): Polyline {
  return { xs: new Float64Array(4096), ys: new Float64Array(4096), length: 0, cuts: [] };
}

function reserve(line: Polyline, count: number): void {
  if (line.length + count <= line.xs.length) return;
  const size = Math.max(2 * line.xs.length, line.length + count);
  const { xs, ys } = line;
  line.xs = new Float64Array(size);
  line.ys = new Float64Array(size);
  line.xs.set(xs);
  line.ys.set(ys);
}

/** Pixel tables of one layer for one view, shared by all its series. */
export type LayerView = {
  readonly view: View;
  readonly layer: LayerData;
  readonly which: Which;
  readonly codes: ColumnCodes | null;
  readonly columnX: Float64Array;
  /** Columns to draw: the visible ones and one on each side. */
  readonly from: number;
  readonly to: number;
  /** y of each code from codes.least on; null if there are too many codes. */
  readonly codeY: Float32Array | null;
};

export function viewLayer(layer: LayerData, which: Which, view: View): LayerView {
  const codes = which === "smoothed" ? (layer.smoothed ?? layer.raw) : (layer.raw ?? layer.smoothed);
  const columns = codes?.columns ?? 0;
  const columnX = columnPositions(layer, columns);
  for (let i = 0; i < columns; i++) columnX[i] = toPx(view.x, columnX[i] as number);
  let from = 0;
  let to = columns;
  while (from < to && !((columnX[from] as number) >= view.x.fromPx)) from++;
  while (to > from && !((columnX[to - 1] as number) <= view.x.toPx)) to--;
  return { view, layer, which, codes, columnX, from, to, codeY: codes === null ? null : tableOf(codes, view.y) };
}

/** Returns x of the center of each column. */
export function columnPositions(layer: LayerData, columns: number): Float64Array {
  const bend = bendOf(layer.scale);
  const unbend = unbendOf(layer.scale);
  const lo = bend(layer.lo);
  const step = (bend(layer.hi) - lo) / columns;
  const found = new Float64Array(columns);
  for (let i = 0; i < columns; i++) found[i] = unbend(lo + (i + 0.5) * step);
  return found;
}

function tableOf(codes: ColumnCodes, y: Scale): Float32Array | null {
  const size = codes.most - codes.least + 1;
  if (size > TABLE_CODES) return null;
  const table = new Float32Array(size);
  const read = valueReader(codes);
  for (let i = 0; i < size; i++) table[i] = limited(toPx(y, read(codes.least + i)));
  return table;
}

/** Clamps a pixel. NaN (as for zero on a logarithmic axis) stays NaN; an infinite value becomes NaN. */
function limited(px: number): number {
  if (px > FAR_PX) return px === Number.POSITIVE_INFINITY ? Number.NaN : FAR_PX;
  if (px < -FAR_PX) return px === Number.NEGATIVE_INFINITY ? Number.NaN : -FAR_PX;
  return px;
}

/** Fills `line` with the series. */
export function traceSeries(line: Polyline, seen: LayerView, series: number, partition: boolean): void {
  line.length = 0;
  line.cuts.length = 0;
  const row = seen.layer.row[series] ?? -1;
  if (row >= 0 && seen.codes !== null) traceColumns(line, seen, seen.codes, row);
  else tracePoints(line, seen, series, partition);
}

function traceColumns(line: Polyline, seen: LayerView, codes: ColumnCodes, row: number): void {
  const { columns, levels, low, high, ends, nonfinite } = codes;
  const base = row * columns;
  const { columnX, codeY, view } = seen;
  const first = before(codes, base, seen.from);
  const last = after(codes, base, seen.to);
  reserve(line, 4 * (last - first) + 2);
  if (first === 0) pushEdge(line, seen, 2 * row);
  const { xs, ys } = line;
  let n = line.length;
  let y = n > 0 ? (ys[n - 1] as number) : Number.NaN;
  for (let column = first; column < last; column++) {
    const cell = base + column;
    const code = low[cell] as number;
    const x = columnX[column] as number;
    if (code === ABSENT) {
      if (nonfinite[cell] !== 0) {
        xs[n] = x;
        ys[n++] = y = Number.NaN;
      }
      continue;
    }
    const top = high[cell] as number;
    let yLow: number;
    let yHigh: number;
    if (codeY !== null) {
      yLow = codeY[code - codes.least] as number;
      yHigh = code === top ? yLow : (codeY[top - codes.least] as number);
    } else {
      yLow = limited(toPx(view.y, valueOfCode(codes, code)));
      yHigh = code === top ? yLow : limited(toPx(view.y, valueOfCode(codes, top)));
    }
    const height = yLow - yHigh;
    if (height < FLAT_PX) {
      xs[n] = x;
      ys[n++] = y = yLow;
      continue;
    }
    // from the first value to the nearer extreme, to the other extreme, to the last value
    let down: boolean;
    let end: number;
    if (levels > 0) {
      const both = ends[cell] as number;
      const start = (both / levels) | 0;
      end = both - start * levels;
      down = 2 * start >= levels - 1;
      if (start !== 0 && start !== levels - 1) {
        xs[n] = x;
        ys[n++] = yLow - (height * start) / (levels - 1);
      }
      end /= levels - 1;
    } else {
      down = Math.abs(y - yHigh) < Math.abs(y - yLow);
      end = down ? 0 : 1;
    }
    xs[n] = x;
    ys[n++] = down ? yHigh : yLow;
    xs[n] = x;
    ys[n++] = y = down ? yLow : yHigh;
    if (end !== (down ? 0 : 1)) {
      xs[n] = x;
      ys[n++] = y = yLow - height * end;
    }
  }
  line.length = n;
  if (last === columns) pushEdge(line, seen, 2 * row + 1);
}

/** Returns the column to begin with: the last one before the visible range that has a value. */
function before(codes: ColumnCodes, base: number, from: number): number {
  for (let column = from - 1; column >= 0; column--) {
    if (codes.low[base + column] !== ABSENT || codes.nonfinite[base + column] !== 0) return column;
  }
  return 0;
}

function after(codes: ColumnCodes, base: number, to: number): number {
  for (let column = to; column < codes.columns; column++) {
    if (codes.low[base + column] !== ABSENT || codes.nonfinite[base + column] !== 0) return column + 1;
  }
  return codes.columns;
}

function pushEdge(line: Polyline, seen: LayerView, at: number): void {
  const edges = seen.layer.edges;
  if (edges === null) return;
  const values = seen.which === "smoothed" && edges.smoothed !== null ? edges.smoothed : edges.value;
  const x = edges.x[at] as number;
  if (Number.isNaN(x)) return;
  push(line, limited(toPx(seen.view.x, x)), limited(toPx(seen.view.y, values[at] as number)));
}

function tracePoints(line: Polyline, seen: LayerView, series: number, partition: boolean): void {
  const { points } = seen.layer;
  const values = valuesOf(seen.layer, seen.which);
  let start = points.start[series] ?? 0;
  let end = points.end[series] ?? 0;
  const { x, y } = seen.view;
  if (points.ascending[series] === 1) {
    start = Math.max(start, firstAtOrAbove(points.x, start, end, x.unbend((x.fromPx - x.offset) / x.slope)) - 1);
    end = Math.min(end, firstAtOrAbove(points.x, start, end, x.unbend((x.toPx - x.offset) / x.slope)) + 2);
  }
  reserve(line, 2 * (end - start));
  let previous = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const at = points.x[i] as number;
    if (partition && at < previous) {
      line.cuts.push(line.length);
      push(line, limited(toPx(x, at)), Number.NaN);
    }
    previous = at;
    const xPx = limited(toPx(x, at));
    if (!Number.isNaN(xPx)) push(line, xPx, limited(toPx(y, values[i] as number)));
  }
}

export function valuesOf(layer: LayerData, which: Which): Float32Array | Float64Array {
  const { points } = layer;
  return which === "smoothed" && points.smoothed !== null ? points.smoothed : points.value;
}

export function firstAtOrAbove(x: Float64Array, start: number, end: number, wanted: number): number {
  let lo = start;
  let hi = end;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if ((x[middle] as number) < wanted) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

function push(line: Polyline, x: number, y: number): void {
  reserve(line, 1);
  line.xs[line.length] = x;
  line.ys[line.length++] = y;
}

/** Traces the center line of a group's band. */
export function traceBand(line: Polyline, layer: LayerData, band: number, view: View): void {
  line.length = 0;
  line.cuts.length = 0;
  const { x, centre, start, end } = layer.bands;
  for (let i = start[band] ?? 0; i < (end[band] ?? 0); i++) {
    push(line, limited(toPx(view.x, x[i] as number)), limited(toPx(view.y, centre[i] as number)));
  }
}
