// Finds the lines near the cursor: for each line the drawn point that is nearest on x.

import { ABSENT, type ColumnCodes, valueOfCode } from "../base/columns";
import type { LayerData } from "./layers";
import type { Layout } from "./layout";
import { firstAtOrAbove, valuesOf, type Which } from "./lines";
import { bendOf, fromPx, toPx, unbendOf } from "./scales";
import type { Picked, PickOrder, Picks, Scene } from "./types";

type Hit = { x: number; y: number; xPx: number; yPx: number; nearYPx: number };

export function pickLines(
  scene: Scene,
  layout: Layout,
  layers: (id: number) => LayerData | undefined,
  at: { readonly xPx: number; readonly yPx: number },
  order: PickOrder,
  limit: number,
): Picks {
  const which: Which = scene.lines.smoothed ? "smoothed" : "raw";
  const rows: Picked[] = [];
  const hit: Hit = { x: 0, y: 0, xPx: 0, yPx: 0, nearYPx: 0 };
  const add = (layer: number, series: number, band: number): void => {
    const { x, y, xPx, yPx, nearYPx } = hit;
    const distancePx = order === "nearest-y" ? Math.abs(nearYPx - at.yPx) : Math.hypot(xPx - at.xPx, nearYPx - at.yPx);
    const row = { layer, series, x, y, xPx, yPx, distancePx };
    rows.push(band >= 0 ? { ...row, band } : row);
  };
  for (const { id, styles, bands, part } of scene.layers) {
    const layer = layers(id);
    if (layer === undefined || (part !== undefined && part !== which)) continue;
    for (let series = 0; series < layer.series; series++) {
      if (styles[series]?.visible === true && nearest(hit, layer, series, which, layout, at)) add(id, series, -1);
    }
    bands.forEach((style, band) => {
      if (style.visible && style.widthPx > 0 && nearestOfBand(hit, layer, band, layout, at.xPx)) add(id, -1, band);
    });
  }
  return { total: rows.length, rows: sorted(rows, order).slice(0, limit) };
}

function sorted(rows: Picked[], order: PickOrder): Picked[] {
  if (order === "none") return rows;
  if (order === "ascending") return rows.sort((a, b) => a.y - b.y);
  if (order === "descending") return rows.sort((a, b) => b.y - a.y);
  return rows.sort((a, b) => a.distancePx - b.distancePx);
}

function nearest(
  hit: Hit,
  layer: LayerData,
  series: number,
  which: Which,
  layout: Layout,
  at: { readonly xPx: number; readonly yPx: number },
): boolean {
  const row = layer.row[series] ?? -1;
  const codes = which === "smoothed" ? (layer.smoothed ?? layer.raw) : (layer.raw ?? layer.smoothed);
  if (row >= 0 && codes !== null) return nearestColumn(hit, layer, codes, row, layout, at);
  const { points } = layer;
  const index = nearestPoint(layer, series, fromPx(layout.x, at.xPx), valuesOf(layer, which));
  if (index < 0) return false;
  place(hit, layout, points.x[index] as number, valuesOf(layer, which)[index] as number);
  return Number.isFinite(hit.yPx);
}

function place(hit: Hit, layout: Layout, x: number, y: number): void {
  hit.x = x;
  hit.y = y;
  hit.xPx = toPx(layout.x, x);
  hit.yPx = hit.nearYPx = toPx(layout.y, y);
}

function nearestColumn(
  hit: Hit,
  layer: LayerData,
  codes: ColumnCodes,
  row: number,
  layout: Layout,
  at: { readonly xPx: number; readonly yPx: number },
): boolean {
  const { columns, low, high, levels, ends } = codes;
  const bend = bendOf(layer.scale);
  const lo = bend(layer.lo);
  const width = (bend(layer.hi) - lo) / columns;
  const wanted = (bend(fromPx(layout.x, at.xPx)) - lo) / width;
  const column = nearestPresent(low, row * columns, columns, Number.isFinite(wanted) ? Math.floor(wanted) : 0);
  if (column < 0) return false;
  const cell = row * columns + column;
  const least = valueOfCode(codes, low[cell] as number);
  const most = valueOfCode(codes, high[cell] as number);
  const last = levels > 0 ? ((ends[cell] as number) % levels) / (levels - 1) : 0.5;
  place(hit, layout, unbendOf(layer.scale)(lo + (column + 0.5) * width), least + (most - least) * last);
  // the stroke of a column reaches from its lowest to its highest value
  hit.nearYPx = Math.min(Math.max(at.yPx, toPx(layout.y, most)), toPx(layout.y, least));
  return Number.isFinite(hit.yPx);
}

/** Returns true if the line has points on both sides of x, so that an upright line at x meets it. */
export function spans(layer: LayerData, series: number, x: number): boolean {
  const row = layer.row[series] ?? -1;
  const codes = layer.raw ?? layer.smoothed;
  if (row >= 0 && codes !== null) return spansColumns(layer, codes, row, x);
  const { points } = layer;
  const start = points.start[series] ?? 0;
  const end = points.end[series] ?? 0;
  if (points.ascending[series] !== 1) return true;
  return (points.x[start] as number) <= x && x <= (points.x[end - 1] as number);
}

function spansColumns(layer: LayerData, { columns, low }: ColumnCodes, row: number, x: number): boolean {
  const bend = bendOf(layer.scale);
  const lo = bend(layer.lo);
  const wanted = Math.floor(((bend(x) - lo) / (bend(layer.hi) - lo)) * columns);
  const base = row * columns;
  const present = (from: number, to: number): boolean => {
    for (let i = Math.max(0, from); i < Math.min(columns, to); i++) if (low[base + i] !== ABSENT) return true;
    return false;
  };
  // the last point lies exactly on the end of the last column
  return present(0, wanted + 1) && present(Math.min(wanted, columns - 1), columns);
}

function nearestPresent(low: Int32Array, base: number, columns: number, wanted: number): number {
  const start = Math.min(Math.max(wanted, 0), columns - 1);
  for (let away = 0; away < columns; away++) {
    if (start - away >= 0 && low[base + start - away] !== ABSENT) return start - away;
    if (start + away < columns && low[base + start + away] !== ABSENT) return start + away;
  }
  return -1;
}

function nearestPoint(layer: LayerData, series: number, wanted: number, values: Float32Array | Float64Array): number {
  const { points } = layer;
  const start = points.start[series] ?? 0;
  const end = points.end[series] ?? 0;
  if (points.ascending[series] !== 1) return nearestInDisorder(points.x, values, start, end, wanted);
  const after = firstAtOrAbove(points.x, start, end, wanted);
  let right = after;
  while (right < end && !Number.isFinite(values[right])) right++;
  let left = after - 1;
  while (left >= start && !Number.isFinite(values[left])) left--;
  if (left < start) return right < end ? right : -1;
  if (right >= end) return left;
  return wanted - (points.x[left] as number) <= (points.x[right] as number) - wanted ? left : right;
}

function nearestInDisorder(
  x: Float64Array,
  values: Float32Array | Float64Array,
  start: number,
  end: number,
  wanted: number,
): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const away = Math.abs((x[i] as number) - wanted);
    if (away <= least && Number.isFinite(values[i])) {
      least = away;
      best = i;
    }
  }
  return best;
}

function nearestOfBand(hit: Hit, layer: LayerData, band: number, layout: Layout, xPx: number): boolean {
  const { x, centre, start, end } = layer.bands;
  const from = start[band] ?? 0;
  const to = end[band] ?? 0;
  const best = nearestInDisorder(x, centre, from, to, fromPx(layout.x, xPx));
  if (best < 0) return false;
  place(hit, layout, x[best] as number, centre[best] as number);
  return Number.isFinite(hit.yPx);
}
