// Answers to /api/scalars, /api/values and /api/table from recorded points, in the form of the server's answers. A zoom
// gets the same points: there are no finer ones.

import { fitOf } from "../../base/fit";
import { encodeFrame } from "../../base/frame";
import type {
  Cells,
  Extent,
  Lines,
  Nearest,
  RangeCells,
  ScalarsQuestion,
  TableQuestion,
  ValuesQuestion,
} from "../types";
import { type Line, linesOfRuns, pointsOf, type TagLines, xOf } from "./lines";
import { smoothedOf } from "./smoothing";

/** The snapshot cannot answer a question. `hint` says what to do. */
export class NotRecorded extends Error {
  constructor(
    message: string,
    readonly hint = "Open the board, or take another snapshot.",
  ) {
    super(message);
  }
}

function checkAxis(x: string): void {
  if (x.startsWith("metric:")) throw new NotRecorded("A metric as x axis is not in this snapshot.");
}

function smoothedOrThrow(line: Line, smoothing: string): Float64Array {
  const found = smoothedOf(line, smoothing);
  if (found !== null) return found;
  throw new NotRecorded(
    `The smoothing \`${smoothing}\` is not in this snapshot.`,
    "Choose the exponential average, or take a snapshot of a view with this smoothing.",
  );
}

function selected(tags: readonly TagLines[], runs: readonly string[] | null | undefined): readonly Line[] {
  return tags.flatMap((tag) => linesOfRuns(tag, runs ?? null));
}

// ---- charts

/** Returns a frame as /api/scalars does, with exact points. */
export function chartOf(question: ScalarsQuestion, tags: readonly TagLines[], version: number): ArrayBuffer {
  const { x = "step", x_scale = "linear", smoothing = "", run, raw = true } = question;
  checkAxis(x);
  if ((question.group ?? "") !== "" || (question.lower?.length ?? 0) > 0) {
    throw new NotRecorded("Bands are not in this snapshot.");
  }
  const lines = selected(tags, run);
  const xs = lines.map((line) => xOf(line, x));
  const smoothed = smoothing === "" ? null : lines.map((line) => smoothedOrThrow(line, smoothing));
  const [lo, hi] = spanOf(question, xs);
  const values = lines.map(({ of, from, to }) => of.value.subarray(from, to));
  const names = [...new Set(lines.map((line) => line.run))];
  const place = new Map(names.map((name, i) => [name, i]));
  const header: Lines = {
    version,
    x,
    x_scale,
    lo,
    hi,
    width: question.width ?? 0,
    encoding: "exact",
    smoothing,
    tags: tags.map(({ tag }) => tag),
    runs: names,
    tag: lines.map(({ of }) => tags.indexOf(of)),
    run: lines.map((line) => place.get(line.run) ?? 0),
    points: lines.map(pointsOf),
    columns: [],
    exact: lines.map((_, i) => i),
    kept: lines.map(({ from, to }) => to - from),
    groups: [],
    values: raw || smoothed === null ? extentOf(xs, values, lo, hi) : NO_EXTENT,
    smoothed: smoothed === null ? null : extentOf(xs, smoothed, lo, hi),
    unbanded: null,
    last: lines.length > MOST_LAST ? null : values.map((own) => told(own.at(-1) ?? Number.NaN)),
  };
  return encodeFrame(header, {
    step: joined(lines.map(({ of, from, to }) => of.step.subarray(from, to))),
    wall_time: joined(lines.map(({ of, from, to }) => of.wall.subarray(from, to))),
    value: joined(values),
    ...(smoothed === null ? {} : { smoothed: joined(smoothed) }),
    ...(x === "relative" ? { x: joined(xs) } : {}),
  });
}

function joined(pieces: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Returns the requested range; an open end becomes the end of the data. */
function spanOf(
  { lo, hi, x_scale }: Pick<ScalarsQuestion, "lo" | "hi" | "x_scale">,
  xs: readonly Float64Array[],
): readonly [number | null, number | null] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of xs) {
    for (const one of x) {
      if (!Number.isFinite(one) || (x_scale === "log" && one <= 0)) continue;
      if (one < least) least = one;
      if (one > most) most = one;
    }
  }
  const known = least <= most;
  const left = lo === undefined || lo === null || (x_scale === "log" && Number(lo) <= 0) ? null : Number(lo);
  const right = hi === undefined || hi === null ? null : Number(hi);
  return [left ?? (known ? least : right), right ?? (known ? Math.max(most, left ?? most) : left)];
}

const NO_EXTENT: Extent = { low: null, high: null, min: null, max: null };
// as on the server
const MOST_LAST = 64;

function extentOf(
  xs: readonly Float64Array[],
  values: readonly Float64Array[],
  lo: number | null,
  hi: number | null,
): Extent {
  if (lo === null || hi === null) return NO_EXTENT;
  let [low, high, min, max] = [Infinity, -Infinity, Infinity, -Infinity];
  values.forEach((own, series) => {
    const x = xs[series];
    const inside = own.filter((value, i) => {
      const at = x?.[i] ?? Number.NaN;
      return Number.isFinite(value) && at >= lo && at <= hi;
    });
    const fit = fitOf(inside);
    if (fit === null) return;
    [low, high] = [Math.min(low, fit[0]), Math.max(high, fit[1])];
    for (const value of inside) [min, max] = [Math.min(min, value), Math.max(max, value)];
  });
  return min > max ? NO_EXTENT : { low, high, min, max };
}

// ---- exact values

type Told = number | string;

/** JSON has no NaN; the server writes it the same way. */
function told(value: number): Told {
  return Number.isFinite(value) ? value : String(value);
}

export function nearestOf(question: ValuesQuestion, tags: readonly TagLines[], version: number): Nearest {
  const { x = "step", smoothing = "", run, at } = question;
  checkAxis(x);
  const lines = selected(tags, run).filter(({ from, to }) => to > from);
  const rows = lines.flatMap((line) => {
    const xs = xOf(line, x);
    const smoothed = smoothing === "" ? null : smoothedOrThrow(line, smoothing);
    return at.map((position) => {
      const place = nearestPlace(xs, Number(position));
      const { of, from } = line;
      return { of, i: from + place, first: from, smooth: smoothed?.[place] ?? Number.NaN };
    });
  });
  return {
    version,
    x,
    at: at.map(Number),
    tag: lines.map(({ of }) => of.tag),
    run: lines.map((line) => line.run),
    step: rows.map(({ of, i }) => of.step[i] ?? null),
    wall_time: rows.map(({ of, i }) => of.wall[i] ?? null),
    relative: rows.map(({ of, i, first }) => (of.wall[i] ?? 0) - (of.wall[first] ?? 0)),
    value: rows.map(({ of, i }) => told(of.value[i] ?? Number.NaN)),
    smoothed: smoothing === "" ? [] : rows.map(({ smooth }) => told(smooth)),
  };
}

/** The last one if several are equally near. */
export function nearestPlace(xs: Float64Array, at: number): number {
  let place = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < xs.length; i++) {
    const distance = Math.abs((xs[i] as number) - at);
    if (distance < least || (distance === least && xs[i] === xs[place])) {
      least = distance;
      place = i;
    }
  }
  return place;
}

// ---- tables

export type RecordedTable = { readonly run: readonly string[]; readonly tags: Readonly<Record<string, Cells>> };

/** Statistics over the range of the question, of the runs in their order. */
export function rangeOf(question: TableQuestion, of: TagLines, runs: readonly string[]): RangeCells {
  const { x = "step" } = question;
  checkAxis(x);
  const known = new Map(linesOfRuns(of, null).map((line) => [line.run, line]));
  const rows = runs.map((run) => {
    const line = known.get(run);
    return line === undefined ? null : statisticsOf(line, xOf(line, x), question);
  });
  const column = <K extends keyof Statistics>(name: K) => rows.map((row) => row?.[name] ?? null);
  return {
    first: column("first"),
    last: column("last"),
    min: column("min"),
    max: column("max"),
    mean: column("mean"),
    first_step: column("first_step"),
    last_step: column("last_step"),
    min_step: column("min_step"),
    max_step: column("max_step"),
    points: column("points"),
  };
}

type Statistics = {
  readonly first: Told;
  readonly last: Told;
  readonly min: Told;
  readonly max: Told;
  readonly mean: Told;
  readonly first_step: number;
  readonly last_step: number;
  readonly min_step: number;
  readonly max_step: number;
  readonly points: number;
};

function statisticsOf(
  { of, from }: Line,
  xs: Float64Array,
  { lo, hi }: Pick<TableQuestion, "lo" | "hi">,
): Statistics | null {
  const [left, right] = [Number(lo ?? Number.NEGATIVE_INFINITY), Number(hi ?? Number.POSITIVE_INFINITY)];
  const inside = [...xs.keys()].filter((i) => (xs[i] as number) >= left && (xs[i] as number) <= right);
  const [first] = inside;
  const last = inside.at(-1);
  if (first === undefined || last === undefined) return null;
  const valueAt = (i: number): number => of.value[from + i] ?? Number.NaN;
  const stepAt = (i: number): number => of.step[from + i] ?? Number.NaN;
  const finite = inside.filter((i) => Number.isFinite(valueAt(i)));
  const least = finite.reduce((a, b) => (valueAt(b) < valueAt(a) ? b : a), finite[0] ?? first);
  const most = finite.reduce((a, b) => (valueAt(b) > valueAt(a) ? b : a), finite[0] ?? first);
  return {
    first: told(valueAt(first)),
    last: told(valueAt(last)),
    min: told(valueAt(least)),
    max: told(valueAt(most)),
    mean: told(finite.reduce((sum, i) => sum + valueAt(i), 0) / finite.length),
    first_step: stepAt(first),
    last_step: stepAt(last),
    min_step: stepAt(least),
    max_step: stepAt(most),
    points: inside.length,
  };
}

/** Rows of the recorded table for a question: its runs that have one of its tags, sorted and cut. */
export function rowsOf(question: TableQuestion, { run, tags }: RecordedTable): readonly number[] {
  const wanted = question.run === undefined || question.run === null ? null : new Set(question.run);
  const cells = question.tag.flatMap((tag) => tags[tag] ?? []);
  const rows = [...run.keys()].filter(
    (row) => wanted?.has(run[row] ?? "") !== false && cells.some(({ points }) => (points[row] ?? null) !== null),
  );
  const { sort = "" } = question;
  if (sort === "") return rows;
  const [, down, name, tag] = /^(-?)(\w+)\((.*)\)$/s.exec(sort) ?? [];
  const column = tags[tag ?? ""]?.[name as keyof Cells] ?? [];
  const keyOf = (row: number): number => {
    const value = Number(column[row] ?? Number.NaN);
    return Number.isNaN(value) ? Number.POSITIVE_INFINITY : down === "-" ? -value : value;
  };
  return rows.sort((a, b) => keyOf(a) - keyOf(b) || a - b);
}
