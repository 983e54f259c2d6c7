// The recorded points of one scalar tag in all runs. src/lightboard/snapshot/lines.py describes the layout of the block.

import { decodeFrame } from "../../base/frame";

export type TagLines = {
  readonly tag: string;
  readonly runs: readonly string[];
  /** Per run: number of points in the logs. */
  readonly points: readonly number[];
  /** Points of run i are [start[i], start[i + 1]) of the arrays. */
  readonly start: readonly number[];
  readonly step: Float64Array;
  /** Seconds since 1970. */
  readonly wall: Float64Array;
  readonly value: Float64Array;
  /** Smoothed values, computed from all points; null without smoothing. */
  readonly smoothed: Float64Array | null;
  /** The smoothing of these values; "" for none. */
  readonly smoothing: string;
};

type Header = {
  readonly tag: string;
  readonly runs: readonly string[];
  readonly points: readonly number[];
  readonly kept: readonly number[];
  readonly smoothing: string;
};

export function decodeLines(block: ArrayBuffer): TagLines {
  const { header, arrays } = decodeFrame<Header>(block);
  const start = [0];
  for (const count of header.kept) start.push((start.at(-1) ?? 0) + count);
  const length = start.at(-1) ?? 0;
  const bytes = (name: string): Uint8Array => (arrays.get(name) as Uint8Array | undefined) ?? new Uint8Array(0);
  const smoothed = bytes("smoothed");
  return {
    tag: header.tag,
    runs: header.runs,
    points: header.points,
    start,
    step: summed(bytes("step"), length),
    wall: summed(bytes("wall"), length).map((millis) => millis / 1000),
    value: floats(bytes("value"), length),
    smoothed: header.smoothing === "" ? null : floats(smoothed, length),
    smoothing: header.smoothing,
  };
}

/** Undoes the storage by byte planes. */
export function interleaved(planes: Uint8Array, length: number): ArrayBuffer {
  const width = length === 0 ? 0 : planes.length / length;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < width; plane++) {
    for (let i = 0; i < length; i++) bytes[i * width + plane] = planes[plane * length + i] as number;
  }
  return bytes.buffer;
}

function floats(planes: Uint8Array, length: number): Float64Array {
  const bytes = interleaved(planes, length);
  return planes.length === 4 * length ? Float64Array.from(new Float32Array(bytes)) : new Float64Array(bytes);
}

/** Sums up differences. As bigints: steps may have more digits than a double holds exactly. */
function summed(planes: Uint8Array, length: number): Float64Array {
  const differences = new BigInt64Array(interleaved(planes, length));
  const sums = new Float64Array(length);
  let sum = 0n;
  for (let i = 0; i < length; i++) {
    sum = BigInt.asIntN(64, sum + (differences[i] as bigint));
    sums[i] = Number(sum);
  }
  return sums;
}

/** One series: positions of its points in the arrays of its tag. */
export type Line = { readonly of: TagLines; readonly run: string; readonly from: number; readonly to: number };

/** Returns the lines of the runs, in their order; null: all runs. */
export function linesOfRuns(of: TagLines, runs: readonly string[] | null): readonly Line[] {
  const place = new Map(of.runs.map((run, i) => [run, i]));
  return (runs ?? of.runs).flatMap((run) => {
    const i = place.get(run);
    return i === undefined ? [] : [{ of, run, from: of.start[i] ?? 0, to: of.start[i + 1] ?? 0 }];
  });
}

/** Number of points that the series has in the logs. */
export function pointsOf({ of, run }: Line): number {
  return of.points[of.runs.indexOf(run)] ?? 0;
}

export function xOf({ of, from, to }: Line, x: string): Float64Array {
  if (x === "step") return of.step.subarray(from, to);
  const wall = of.wall.subarray(from, to);
  return x === "wall" ? wall : wall.map((seconds) => seconds - (of.wall[from] ?? 0));
}
