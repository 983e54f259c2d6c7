// Draws lines into pixels without the browser's canvas. Noisy columns are the worst case of a general stroke algorithm
// (25 times slower here), but they have a simple shape: in each pixel column a line covers one range of y.
//
// A line is split into pieces on which x does not decrease. For each piece the highest and lowest y within each pixel
// column are collected; then each column is filled from top to bottom, widened by half the line's width. The pixels at
// both ends are weighted by their coverage. Steep strokes are widened horizontally in the same way.
//
// Pixels are stored column by column, premultiplied, so that a range of y is contiguous in memory.

import type { Polyline } from "./lines";

export type Raster = {
  readonly width: number;
  readonly height: number;
  /** width × height, column after column; premultiplied, red in the lowest byte. */
  readonly pixels: Uint32Array;
  /** The same pixels row by row, as ImageData needs them; filled by rowsOf. */
  readonly rows: Uint32Array<ArrayBuffer>;
  /**
   * Per pixel column, with PAD more at each end: the y range covered by the current piece; lo > hi if there is none.
   */
  readonly lo: Float64Array;
  readonly hi: Float64Array;
};

/** Opaque color: red in the lowest byte, alpha in the highest. */
export type Rgba = number;

export type Stroke = {
  readonly color: Rgba;
  readonly alpha: number;
  /** Pixels of the raster, which may have different ratios on x and y. */
  readonly widthX: number;
  readonly widthY: number;
  /** Alternating lengths of dashes and gaps, in pixels along x; empty: solid. */
  readonly dashes: readonly number[];
};

export const PAD = 16;
// A pixel with less partial coverage is skipped: out of 256, and in pixels of height.
const LEAST_WEIGHT = 24;
const LEAST_PX = 0.5;

export function newRaster(width: number, height: number): Raster {
  return {
    width,
    height,
    pixels: new Uint32Array(width * height),
    rows: new Uint32Array(width * height),
    lo: new Float64Array(width + 2 * PAD).fill(Number.POSITIVE_INFINITY),
    hi: new Float64Array(width + 2 * PAD).fill(Number.NEGATIVE_INFINITY),
  };
}

/** Transforms the line's coordinates to pixels of the raster: px = shift + scale · coordinate. */
export type Placement = {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly shiftX: number;
  readonly shiftY: number;
};

export function strokeLine(raster: Raster, line: Polyline, stroke: Stroke, placement: Placement): void {
  const { xs, ys, length } = line;
  const { lo, hi, width } = raster;
  const { scaleX, scaleY, shiftX, shiftY } = placement;
  const beyond = width + 2 * PAD;
  let direction = 0;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let x0 = Number.NaN;
  let y0 = Number.NaN;
  for (let i = 0; i < length; i++) {
    const x1 = (xs[i] as number) * scaleX + shiftX + PAD;
    const y1 = (ys[i] as number) * scaleY + shiftY;
    if (Number.isNaN(y1 - y0)) {
      // the line is interrupted here
    } else if (x1 === x0) {
      if (x1 >= 0 && x1 < beyond) include(lo, hi, x1 | 0, y0, y1);
    } else {
      const turn = x1 > x0 ? 1 : -1;
      if (turn === -direction) {
        fillPiece(raster, from, to, stroke);
        from = to = x0;
      }
      direction = turn;
      if (turn > 0) addSegment(raster, x0, y0, x1, y1);
      else addSegment(raster, x1, y1, x0, y0);
    }
    if (x1 < from) from = x1;
    if (x1 > to) to = x1;
    x0 = x1;
    y0 = y1;
  }
  fillPiece(raster, from, to, stroke);
}

/** Extends the y range of a column by two values. */
export function include(lo: Float64Array, hi: Float64Array, column: number, a: number, b: number): void {
  const low = a < b ? a : b;
  const high = a < b ? b : a;
  if (low < (lo[column] as number)) lo[column] = low;
  if (high > (hi[column] as number)) hi[column] = high;
}

/** Adds a segment of a line; x includes the padding, `right` is greater than `left`. */
export function addSegment(raster: Raster, left: number, yLeft: number, right: number, yRight: number): void {
  const { lo, hi, width } = raster;
  const last = width + 2 * PAD - 1;
  // columns outside the edges count, too, if their strokes reach inside
  if (right < 0 || left >= last + 1) return;
  const first = left < 0 ? 0 : left | 0;
  const end = right >= last + 1 ? last : right | 0;
  const slope = (yRight - yLeft) / (right - left);
  let y = left < 0 ? yLeft - slope * left : yLeft;
  for (let column = first; column <= end; column++) {
    const next = right <= column + 1 ? yRight : yLeft + slope * (column + 1 - left);
    include(lo, hi, column, y, next);
    y = next;
  }
}

/** Fills the collected ranges between two positions on x (including the padding) and resets them. */
export function fillPiece(raster: Raster, from: number, to: number, stroke: Stroke): void {
  const { lo, hi, width, height, pixels } = raster;
  const { color, dashes } = stroke;
  const half = stroke.widthY / 2;
  const aside = stroke.widthX / 2;
  const aspect = aside / half;
  const reach = Math.min(PAD, Math.ceil(aside + 0.5) - 1);
  const opaque = Math.round(256 * stroke.alpha);
  // the outermost columns of a steep stroke are partly covered; for faint lines this is not visible
  const part = aside + 0.5 - reach;
  const beside = reach > 0 && part < 1 ? Math.round(opaque * part) : 0;
  const whole = part < 1 ? reach - 1 : reach;
  const first = Math.max(PAD, Math.floor(from) - reach);
  const last = Math.min(PAD + width - 1, Math.floor(to) + reach);
  const dashed = dashes.length > 0;
  for (let column = first, start = (first - PAD) * height; column <= last; column++, start += height) {
    if (dashed && !isDrawn(column, dashes)) continue;
    let top = lo[column] as number;
    let bottom = hi[column] as number;
    const rise = bottom - top;
    if (rise >= 0) {
      // for a slanted line use the stroke's area, not the height of its bounding box
      let widen = half;
      if (rise > 0.05 && rise < 3) {
        const slope = rise * aspect;
        const area = half * Math.sqrt(1 + slope * slope) - rise / 2;
        if (area < half) widen = area;
      }
      top -= widen;
      bottom += widen;
    }
    for (let away = 1; away <= whole; away++) {
      const round = away < aside ? half * Math.sqrt(1 - (away * away) / (aside * aside)) : 0;
      top = Math.min(top, (lo[column - away] as number) - round, (lo[column + away] as number) - round);
      bottom = Math.max(bottom, (hi[column - away] as number) + round, (hi[column + away] as number) + round);
    }
    if (top < bottom) fillStretch(pixels, height, start, top, bottom, color, opaque);
    if (beside < LEAST_WEIGHT) continue;
    const lowLeft = lo[column - reach] as number;
    const lowRight = lo[column + reach] as number;
    const highLeft = hi[column - reach] as number;
    const highRight = hi[column + reach] as number;
    const above = lowLeft < lowRight ? lowLeft : lowRight;
    const below = highLeft > highRight ? highLeft : highRight;
    if (top >= bottom) fillStretch(pixels, height, start, above, below, color, beside);
    else {
      if (above < top - LEAST_PX) fillStretch(pixels, height, start, above, top, color, beside);
      if (below > bottom + LEAST_PX) fillStretch(pixels, height, start, bottom, below, color, beside);
    }
  }
  const begin = Math.max(0, Math.floor(from));
  const end = Math.max(0, Math.floor(to) + 1);
  lo.fill(Number.POSITIVE_INFINITY, begin, end);
  hi.fill(Number.NEGATIVE_INFINITY, begin, end);
}

/** Dashes are measured along x, not along the line: on a noisy line they would not be visible. */
function isDrawn(column: number, dashes: readonly number[]): boolean {
  let period = 0;
  for (const length of dashes) period += length;
  let at = column % period;
  for (let i = 0; i < dashes.length; i++) {
    at -= dashes[i] as number;
    if (at < 0) return i % 2 === 0;
  }
  return true;
}

/** The pixel column begins at index `start`. Weight is out of 256. */
function fillStretch(
  pixels: Uint32Array,
  height: number,
  start: number,
  top: number,
  bottom: number,
  color: Rgba,
  weight: number,
): void {
  if (top < 0) top = 0;
  if (bottom > height) bottom = height;
  if (!(top < bottom)) return;
  const first = top | 0;
  const last = bottom | 0;
  if (first === last) {
    blend(pixels, start + first, color, ((bottom - top) * weight + 0.5) | 0);
    return;
  }
  let at = start + first;
  const end = start + last;
  if (top > first) blend(pixels, at++, color, ((first + 1 - top) * weight + 0.5) | 0);
  if (weight >= 256) {
    if (end - at > 24) pixels.fill(color, at, end);
    else for (; at < end; at++) pixels[at] = color;
  } else {
    const rest = 256 - weight;
    const redBlue = Math.imul(color & 0xff00ff, weight) + 0x800080;
    const greenAlpha = Math.imul((color >>> 8) & 0xff00ff, weight) + 0x800080;
    for (; at < end; at++) {
      const old = pixels[at] as number;
      pixels[at] =
        (((Math.imul(old & 0xff00ff, rest) + redBlue) >>> 8) & 0xff00ff) |
        ((Math.imul((old >>> 8) & 0xff00ff, rest) + greenAlpha) & 0xff00ff00);
    }
  }
  if (bottom > last) blend(pixels, end, color, ((bottom - last) * weight + 0.5) | 0);
}

/** Blends two channels at a time; the weights sum up to 256, so that no channel overflows. */
function blend(pixels: Uint32Array, at: number, color: Rgba, weight: number): void {
  const old = pixels[at] as number;
  const rest = 256 - weight;
  const redBlue = (Math.imul(old & 0xff00ff, rest) + Math.imul(color & 0xff00ff, weight) + 0x800080) >>> 8;
  const greenAlpha = Math.imul((old >>> 8) & 0xff00ff, rest) + Math.imul((color >>> 8) & 0xff00ff, weight) + 0x800080;
  pixels[at] = (redBlue & 0xff00ff) | (greenAlpha & 0xff00ff00);
}

/** Clears all pixels for the next drawing. */
export function clearRaster(raster: Raster): void {
  raster.pixels.fill(0);
}

/** Returns rows of plain RGBA, as ImageData needs them: a view that is valid until the next call. */
export function rowsOf(raster: Raster): Uint8ClampedArray<ArrayBuffer> {
  const { width, height, pixels, rows } = raster;
  for (let column = 0; column < width; column++) {
    const start = column * height;
    for (let row = 0, at = column; row < height; row++, at += width) {
      const pixel = pixels[start + row] as number;
      rows[at] = pixel === 0 || pixel >>> 24 === 255 ? pixel : plain(pixel);
    }
  }
  return new Uint8ClampedArray(rows.buffer);
}

function plain(pixel: number): number {
  const alpha = pixel >>> 24;
  if (alpha === 0) return 0;
  const up = 255 / alpha;
  const red = Math.min(255, ((pixel & 255) * up + 0.5) | 0);
  const green = Math.min(255, (((pixel >>> 8) & 255) * up + 0.5) | 0);
  const blue = Math.min(255, (((pixel >>> 16) & 255) * up + 0.5) | 0);
  return red | (green << 8) | (blue << 16) | (alpha << 24);
}
