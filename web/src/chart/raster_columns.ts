// Draws series encoded as columns directly into the raster, without creating vertices. Nearly all lines on screen are
// encoded this way.

import { ABSENT, type ColumnCodes } from "../base/columns";
import type { LayerView } from "./lines";
import { addSegment, fillPiece, include, PAD, type Placement, type Raster, type Stroke } from "./raster";

/**
 * Returns false, and draws nothing, if the series is encoded as points or has too many different values for a table.
 */
export function strokeColumns(
  raster: Raster,
  seen: LayerView,
  series: number,
  stroke: Stroke,
  placement: Placement,
): boolean {
  const row = seen.layer.row[series] ?? -1;
  if (row < 0 || seen.codes === null || seen.codeY === null) return false;
  const edges = edgesOf(seen, row, placement);
  collect(raster, seen, seen.codes, seen.codeY, row, edges, placement);
  fillPiece(raster, 0, raster.width + 2 * PAD, stroke);
  return true;
}

type Point = { readonly x: number; readonly y: number };

/** Returns the nearest points before and after the range, to which the line is connected; NaN if there is none. */
function edgesOf({ layer, which, view }: LayerView, row: number, placement: Placement): [Point, Point] {
  const { edges } = layer;
  const { scaleX, scaleY, shiftX, shiftY } = placement;
  const values = which === "smoothed" && edges?.smoothed ? edges.smoothed : edges?.value;
  const at = (i: number): Point => {
    const x = view.x.offset + view.x.slope * view.x.bend(edges?.x[i] ?? Number.NaN);
    const y = view.y.offset + view.y.slope * view.y.bend(values?.[i] ?? Number.NaN);
    return {
      x: x * scaleX + shiftX + PAD,
      y: Number.isFinite(x) && Number.isFinite(y) ? y * scaleY + shiftY : Number.NaN,
    };
  };
  return [at(2 * row), at(2 * row + 1)];
}

function collect(
  raster: Raster,
  seen: LayerView,
  codes: ColumnCodes,
  codeY: Float32Array,
  row: number,
  [left, right]: readonly [Point, Point],
  { scaleX, scaleY, shiftX, shiftY }: Placement,
): void {
  const { columns, levels, low, high, ends, nonfinite, least } = codes;
  const { lo, hi, width } = raster;
  const { columnX } = seen;
  const base = row * columns;
  const beyond = width + 2 * PAD;
  let { x: x0, y: y0 } = left;
  for (let column = 0; column < columns; column++) {
    const cell = base + column;
    const code = low[cell] as number;
    if (code === ABSENT) {
      if (nonfinite[cell] !== 0) y0 = Number.NaN;
      continue;
    }
    const x1 = (columnX[column] as number) * scaleX + shiftX + PAD;
    const bottom = (codeY[code - least] as number) * scaleY + shiftY;
    const top = (codeY[(high[cell] as number) - least] as number) * scaleY + shiftY;
    let enter = bottom;
    let leave = top;
    if (levels > 0) {
      const both = ends[cell] as number;
      const first = (both / levels) | 0;
      const part = (top - bottom) / (levels - 1);
      enter = bottom + part * first;
      leave = bottom + part * (both - first * levels);
    } else if (Math.abs(y0 - top) < Math.abs(y0 - bottom)) {
      enter = top;
      leave = bottom;
    }
    const pixel = x1 | 0;
    if (x1 >= 0 && x1 < beyond) {
      if (top < (lo[pixel] as number)) lo[pixel] = top;
      if (bottom > (hi[pixel] as number)) hi[pixel] = bottom;
    }
    if (!Number.isNaN(y0 - enter)) {
      if (x1 < beyond && x0 >= 0 && pixel - (x0 | 0) === 1) {
        // adjacent columns are connected at their midpoint
        const middle = (y0 + enter) / 2;
        include(lo, hi, x0 | 0, y0, middle);
        include(lo, hi, pixel, middle, enter);
      } else if (x1 > x0) addSegment(raster, x0, y0, x1, enter);
    }
    x0 = x1;
    y0 = leave;
  }
  if (right.x > x0 && !Number.isNaN(y0 - right.y)) addSegment(raster, x0, y0, right.x, right.y);
}
