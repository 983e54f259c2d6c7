// Marks show what a line alone does not: single points, NaN and infinities, values outside the range, restarts, the
// newest point. They are collected while lines are traced, and drawn above them.

import { ABSENT, type ColumnCodes, MINUS_BIT, NAN_BIT, PLUS_BIT } from "../base/columns";
import type { Box } from "./layout";
import { type LayerView, type Polyline, valuesOf } from "./lines";
import { toPx } from "./scales";
import type { LineLook } from "./scene";
import type { Surface } from "./surface";

export type MarkKind = "dot" | "last" | "nan" | "plus" | "minus" | "above" | "below" | "cut";

export type Mark = { readonly kind: MarkKind; readonly xPx: number; readonly yPx: number; readonly color: string };

export type Marks = {
  readonly list: Mark[];
  /** Occupied positions along the top and bottom edge, so that marks of many lines do not overlap. */
  readonly taken: Set<number>;
};

// Marks of one kind nearer to each other than this are merged.
const APART_PX = 9;
// A stroke narrower than this is a single point.
const LONE_PX = 0.5;

export function newMarks(): Marks {
  return { list: [], taken: new Set() };
}

/**
 * Returns true if a line must be traced to find its marks. Most lines have none, and tracing costs as much as drawing.
 */
export function mustTrace(look: LineLook, seen: LayerView, series: number): boolean {
  const row = seen.layer.row[series] ?? -1;
  const { codes, codeY } = seen;
  if (row < 0 || codes === null || codeY === null) return true;
  if (look.lastPoint || look.markers === "all" || codes.oddRows[row] === 1) return true;
  return look.markers === "isolated" && !hasWidth(seen, codes, row);
}

/**
 * Without NaN between them, the columns form one connected line; returns true if it is wide enough to be visible as a
 * line.
 */
function hasWidth({ columnX }: LayerView, { low, columns }: ColumnCodes, row: number): boolean {
  const base = row * columns;
  let first = 0;
  let last = columns - 1;
  while (first < last && low[base + first] === ABSENT) first++;
  while (last > first && low[base + last] === ABSENT) last--;
  return Math.abs((columnX[last] as number) - (columnX[first] as number)) >= LONE_PX;
}

/** Collects the marks of one line that was just traced; `line` has its vertices. */
export function collectMarks(
  marks: Marks,
  look: LineLook,
  seen: LayerView,
  series: number,
  line: Polyline,
  color: string,
  plot: Box,
): void {
  if (look.markers !== "none") addDots(marks, line, color, plot, look.markers === "all");
  if (look.edgeMarks && !hasColumns(seen, series)) addOutliers(marks, line, color, plot);
  for (const at of line.cuts) addCut(marks, line, at, color, plot);
  if (look.lastPoint) addLast(marks, seen, series, line, color, plot);
  const row = seen.layer.row[series] ?? -1;
  if (row < 0 || seen.codes === null) addOddPoints(marks, seen, series, color, plot);
  else if (seen.codes.oddRows[row] === 1) addOddColumns(marks, seen, seen.codes, row, color, plot);
}

function addDots(marks: Marks, line: Polyline, color: string, plot: Box, all: boolean): void {
  const { xs, ys, length } = line;
  // draw a dot on every point only if there is enough space between them
  const roomy = all && length * 6 <= plot.rightPx - plot.leftPx;
  for (let start = 0; start < length; ) {
    if (Number.isNaN(ys[start] as number)) {
      start++;
      continue;
    }
    let end = start + 1;
    while (end < length && !Number.isNaN(ys[end] as number)) end++;
    if (roomy) for (let i = start; i < end; i++) addInside(marks, "dot", xs[i] as number, ys[i] as number, color, plot);
    else if (Math.abs((xs[end - 1] as number) - (xs[start] as number)) < LONE_PX)
      addLone(marks, line, start, end, color, plot);
    start = end;
  }
}

/** Adds a stroke without width: one dot, or two if it has height. */
function addLone(marks: Marks, line: Polyline, start: number, end: number, color: string, plot: Box): void {
  const ys = line.ys.subarray(start, end);
  const x = line.xs[start] as number;
  const top = Math.min(...ys);
  const bottom = Math.max(...ys);
  addInside(marks, "dot", x, top, color, plot);
  if (bottom - top > 2) addInside(marks, "dot", x, bottom, color, plot);
}

function addInside(marks: Marks, kind: MarkKind, xPx: number, yPx: number, color: string, plot: Box): void {
  if (xPx < plot.leftPx - 1 || xPx > plot.rightPx + 1 || yPx < plot.topPx - 1 || yPx > plot.bottomPx + 1) return;
  marks.list.push({ kind, xPx, yPx, color });
}

/** Adds one mark each time the line leaves the range, at the farthest point. */
function addOutliers(marks: Marks, line: Polyline, color: string, plot: Box): void {
  const { xs, ys, length } = line;
  let side = 0;
  let furthest = 0;
  let at = 0;
  for (let i = 0; i <= length; i++) {
    const y = i < length ? (ys[i] as number) : Number.NaN;
    const x = i < length ? (xs[i] as number) : 0;
    const inSight = x >= plot.leftPx && x <= plot.rightPx;
    const now = !inSight ? 0 : y < plot.topPx ? -1 : y > plot.bottomPx ? 1 : 0;
    if (side !== 0 && now !== side) addAtEdge(marks, side < 0 ? "above" : "below", at, color, plot);
    if (now !== 0 && (now !== side || Math.abs(y) > furthest)) {
      furthest = Math.abs(y);
      at = x;
    }
    side = now;
  }
}

function hasColumns({ layer, codeY }: LayerView, series: number): boolean {
  return (layer.row[series] ?? -1) >= 0 && codeY !== null;
}

/** Does the same for a line encoded as columns, without tracing it; adjacent columns outside the range count once. */
export function addOutlierColumns(marks: Marks, seen: LayerView, series: number, color: string, plot: Box): void {
  const { codes, codeY, columnX, from, to } = seen;
  const row = seen.layer.row[series] ?? -1;
  if (codes === null || codeY === null || row < 0) return;
  const { least, most, low, high } = codes;
  // greater codes are higher: `lowest`, `highest` and all codes between them are inside the plot
  const lowest = least + firstIndex(codeY, (y) => y <= plot.bottomPx);
  const highest = least + firstIndex(codeY, (y) => y < plot.topPx) - 1;
  if (lowest <= least && highest >= most) return;
  const base = row * codes.columns;
  // column that is farthest outside; -1 while the line is inside
  let above = -1;
  let below = -1;
  for (let column = from; column < to; column++) {
    const up = high[base + column] as number;
    const down = low[base + column] as number;
    if (down === ABSENT) continue;
    if (up > highest) {
      if (above < 0 || up > (high[base + above] as number)) above = column;
    } else if (above >= 0) {
      addAtEdge(marks, "above", columnX[above] as number, color, plot);
      above = -1;
    }
    // a value that a logarithmic axis cannot show is not "below"
    if (down < lowest && !Number.isNaN(codeY[down - least])) {
      if (below < 0 || down < (low[base + below] as number)) below = column;
    } else if (below >= 0) {
      addAtEdge(marks, "below", columnX[below] as number, color, plot);
      below = -1;
    }
  }
  if (above >= 0) addAtEdge(marks, "above", columnX[above] as number, color, plot);
  if (below >= 0) addAtEdge(marks, "below", columnX[below] as number, color, plot);
}

/** Binary search: returns the first index for which the condition holds; the length if there is none. */
function firstIndex(list: Float32Array, holds: (value: number) => boolean): number {
  let lo = 0;
  let hi = list.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (holds(list[middle] as number)) hi = middle;
    else lo = middle + 1;
  }
  return lo;
}

function addAtEdge(
  marks: Marks,
  kind: "above" | "below" | "plus" | "minus",
  xPx: number,
  color: string,
  plot: Box,
): void {
  const upper = kind === "above" || kind === "plus";
  const place = Math.round(xPx / APART_PX) * 4 + (upper ? 0 : 1) + (kind === "plus" || kind === "minus" ? 2 : 0);
  if (marks.taken.has(place)) return;
  marks.taken.add(place);
  marks.list.push({ kind, xPx, yPx: upper ? plot.topPx : plot.bottomPx, color });
}

function addCut(marks: Marks, line: Polyline, at: number, color: string, plot: Box): void {
  const y = line.ys[at + 1];
  if (y !== undefined && !Number.isNaN(y)) addInside(marks, "cut", line.xs[at + 1] as number, y, color, plot);
}

function addLast(marks: Marks, seen: LayerView, series: number, line: Polyline, color: string, plot: Box): void {
  const row = seen.layer.row[series] ?? -1;
  const { edges } = seen.layer;
  if (row >= 0 && edges !== null && !Number.isNaN(edges.x[2 * row + 1])) return; // newer points are outside the range
  let last = line.length - 1;
  while (last >= 0 && Number.isNaN(line.ys[last] as number)) last--;
  if (last >= 0) addInside(marks, "last", line.xs[last] as number, line.ys[last] as number, color, plot);
}

function addOddColumns(marks: Marks, seen: LayerView, codes: ColumnCodes, row: number, color: string, plot: Box): void {
  const base = row * codes.columns;
  let y = toPx(seen.view.y, 0);
  let free = Number.NEGATIVE_INFINITY;
  for (let column = 0; column < seen.to; column++) {
    const code = codes.low[base + column] as number;
    if (code !== ABSENT && seen.codeY !== null) y = seen.codeY[code - codes.least] as number;
    const x = seen.columnX[column] as number;
    const odd = codes.nonfinite[base + column] as number;
    if (odd === 0 || !(x >= plot.leftPx)) continue;
    if (odd & PLUS_BIT) addAtEdge(marks, "plus", x, color, plot);
    if (odd & MINUS_BIT) addAtEdge(marks, "minus", x, color, plot);
    if (!(odd & NAN_BIT) || x < free) continue;
    marks.list.push({ kind: "nan", xPx: x, yPx: withinPlot(y, plot), color });
    free = x + APART_PX;
  }
}

function addOddPoints(marks: Marks, seen: LayerView, series: number, color: string, plot: Box): void {
  const { points } = seen.layer;
  const values = valuesOf(seen.layer, seen.which);
  const end = points.end[series] ?? 0;
  let y = toPx(seen.view.y, 0);
  let free = Number.NEGATIVE_INFINITY;
  for (let i = points.start[series] ?? 0; i < end; i++) {
    const value = values[i] as number;
    if (Number.isFinite(value)) {
      y = toPx(seen.view.y, value);
      continue;
    }
    const x = toPx(seen.view.x, points.x[i] as number);
    if (!(x >= plot.leftPx && x <= plot.rightPx)) continue;
    if (!Number.isNaN(value)) addAtEdge(marks, value > 0 ? "plus" : "minus", x, color, plot);
    else if (Math.abs(x - free) >= APART_PX) {
      marks.list.push({ kind: "nan", xPx: x, yPx: withinPlot(y, plot), color });
      free = x;
    }
  }
}

function withinPlot(y: number, plot: Box): number {
  return Number.isNaN(y) ? plot.bottomPx : Math.min(Math.max(y, plot.topPx), plot.bottomPx);
}

export function drawMarks(surface: Surface, marks: Marks, background: string): void {
  for (const mark of marks.list) {
    surface.fillStyle = mark.color;
    surface.beginPath();
    shape(surface, mark);
    surface.fill();
    if (mark.kind !== "nan" && mark.kind !== "plus" && mark.kind !== "minus" && mark.kind !== "last") continue;
    // an outline separates it from the lines below
    surface.strokeStyle = background;
    surface.lineWidth = 1;
    surface.stroke();
  }
}

function shape(surface: Surface, { kind, xPx: x, yPx: y }: Mark): void {
  switch (kind) {
    case "dot":
      surface.arc(x, y, 2, 0, 2 * Math.PI);
      return;
    case "last":
      surface.arc(x, y, 3, 0, 2 * Math.PI);
      return;
    case "nan":
      triangle(surface, x, y + 3.5, 4.5, -8);
      return;
    case "plus":
      triangle(surface, x, y + 9, 4.5, -8);
      return;
    case "minus":
      triangle(surface, x, y - 9, 4.5, 8);
      return;
    case "above":
      triangle(surface, x, y + 4, 3, -4);
      return;
    case "below":
      triangle(surface, x, y - 4, 3, 4);
      return;
    case "cut":
      surface.rect(x - 0.75, y - 6, 1.5, 12);
      return;
  }
}

/** The base is at y, the tip `height` further down (up if negative). */
function triangle(surface: Surface, x: number, y: number, half: number, height: number): void {
  surface.moveTo(x - half, y);
  surface.lineTo(x + half, y);
  surface.lineTo(x, y + height);
  surface.closePath();
}
