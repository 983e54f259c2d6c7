// One response of /api/scalars, decoded once for the chart: columns as codes, exact points as doubles, bands.

import { type ColumnCodes, decodeCodes } from "../base/columns";
import { decodeFrame, type FrameArray } from "../base/frame";
import type { ScaleKind } from "./types";

/** The members of the frame's header that define the positions of points. */
export type Header = {
  readonly x: string;
  readonly x_scale?: ScaleKind;
  readonly lo: number | string | null;
  readonly hi: number | string | null;
  readonly run: readonly number[];
  readonly columns: readonly number[];
  readonly exact: readonly number[];
  readonly kept: readonly number[];
  readonly groups: readonly { readonly length: number }[];
};

/** Exact points of all series, concatenated. */
export type Points = {
  readonly x: Float64Array;
  readonly value: Float32Array | Float64Array;
  readonly smoothed: Float64Array | null;
  /** Per series: its points are [start, end); both 0 if it has none. */
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Per series: 1 if x never decreases and has no NaN, so that binary search works. */
  readonly ascending: Uint8Array;
};

/** The nearest points outside the columns' range: two for each row of columns, NaN if there is none. */
export type Edges = {
  readonly x: Float64Array;
  readonly value: Float64Array;
  readonly smoothed: Float64Array | null;
};

export type Bands = {
  readonly x: Float64Array;
  readonly centre: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
};

export type LayerData = {
  readonly id: number;
  readonly series: number;
  /** Range of the columns, which are evenly spaced on this scale. */
  readonly scale: ScaleKind;
  readonly lo: number;
  readonly hi: number;
  readonly raw: ColumnCodes | null;
  readonly smoothed: ColumnCodes | null;
  /** Per series: its row in the tables of columns, -1 if it is encoded as points. */
  readonly row: Int32Array;
  readonly edges: Edges | null;
  readonly points: Points;
  readonly bands: Bands;
};

export function decodeLayer(id: number, buffer: ArrayBuffer): LayerData {
  const { header, arrays } = decodeFrame<Header>(buffer);
  const series = header.run.length;
  const row = new Int32Array(series).fill(-1);
  header.columns.forEach((place, i) => {
    row[place] = i;
  });
  return {
    id,
    series,
    scale: header.x_scale ?? "linear",
    lo: Number(header.lo ?? Number.NaN),
    hi: Number(header.hi ?? Number.NaN),
    raw: codesOf(arrays.get("columns")),
    smoothed: codesOf(arrays.get("smoothed_columns")),
    row,
    edges: edgesOf(arrays),
    points: pointsOf(header, arrays),
    bands: bandsOf(header, arrays),
  };
}

function codesOf(array: FrameArray | undefined): ColumnCodes | null {
  return array instanceof Uint8Array ? decodeCodes(array) : null;
}

function edgesOf(arrays: ReadonlyMap<string, FrameArray>): Edges | null {
  if (!arrays.has("edge_x")) return null;
  const smoothed = arrays.has("edge_smoothed") ? doubles(arrays.get("edge_smoothed")) : null;
  return { x: doubles(arrays.get("edge_x")), value: doubles(arrays.get("edge_value")), smoothed };
}

function pointsOf(header: Header, arrays: ReadonlyMap<string, FrameArray>): Points {
  const series = header.run.length;
  const start = new Int32Array(series);
  const end = new Int32Array(series);
  const ascending = new Uint8Array(series);
  const x = exactX(header, arrays);
  let at = 0;
  header.exact.forEach((place, i) => {
    start[place] = at;
    at += header.kept[i] ?? 0;
    end[place] = at;
    ascending[place] = isAscending(x, start[place] ?? 0, at) ? 1 : 0;
  });
  const value = arrays.get("value");
  return {
    x,
    value: value instanceof Float32Array ? value : doubles(value),
    smoothed: arrays.has("smoothed") ? doubles(arrays.get("smoothed")) : null,
    start,
    end,
    ascending,
  };
}

function exactX(header: Header, arrays: ReadonlyMap<string, FrameArray>): Float64Array {
  if (header.x === "step") return doubles(arrays.get("step"));
  return doubles(arrays.get(header.x === "wall" ? "wall_time" : "x"));
}

function isAscending(x: Float64Array, start: number, end: number): boolean {
  if (start < end && Number.isNaN(x[start])) return false;
  for (let i = start + 1; i < end; i++) if (!((x[i] as number) >= (x[i - 1] as number))) return false;
  return true;
}

function bandsOf(header: Header, arrays: ReadonlyMap<string, FrameArray>): Bands {
  const start = new Int32Array(header.groups.length);
  const end = new Int32Array(header.groups.length);
  let at = 0;
  header.groups.forEach(({ length }, i) => {
    start[i] = at;
    at += length;
    end[i] = at;
  });
  return {
    x: doubles(arrays.get("band_x")),
    centre: doubles(arrays.get("band_centre")),
    low: doubles(arrays.get("band_low")),
    high: doubles(arrays.get("band_high")),
    start,
    end,
  };
}

/** Steps beyond 2^53 lose their last digits here: they are only drawn. */
function doubles(array: FrameArray | undefined): Float64Array {
  if (array === undefined) return new Float64Array(0);
  if (array instanceof Float64Array) return array;
  if (array instanceof BigInt64Array) return Float64Array.from(array, Number);
  return Float64Array.from(array);
}
