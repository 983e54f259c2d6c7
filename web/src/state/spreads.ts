// Histograms and their percentiles, requested by cards near the viewport; requests of several cards are batched. The
// server thins them evenly over the requested steps: a narrower range returns more detail.

import {
  ApiError,
  type BucketSeries,
  type DistributionsHeader,
  fetchDistributions,
  fetchHistograms,
  type HistogramsHeader,
  type SpreadQuestion,
} from "../api/client";
import { decodeFrame } from "../base/frame";
import type { Wholes } from "./steps";
import { boardSettings } from "./view";

export type SpreadKind = "histograms" | "distributions";

type Stepped = {
  /** The steps with all digits. */
  readonly exact: Wholes;
  readonly steps: Float64Array;
  readonly walls: Float64Array;
  /** Number of requested steps that have no value of this kind. */
  readonly odd: number;
};

/** The shape that the chart needs, see chart/spread_types.ts. */
export type Histograms = Stepped & {
  readonly kind: "histograms";
  readonly first: Uint32Array;
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
  readonly counts: Float64Array;
};

export type Percentiles = Stepped & {
  readonly kind: "percentiles";
  readonly lines: number;
  /** The percentiles, in hundredths of a percent. */
  readonly basisPoints: readonly number[];
  readonly values: Float64Array;
};

export type Spread = Histograms | Percentiles;

export type SpreadAsk = {
  readonly kind: SpreadKind;
  readonly tag: string;
  readonly run: string;
  /** Maximum number of steps; 0: all. */
  readonly limit: number;
  /** Steps from lo to hi, as text; null: all. */
  readonly lo: string | null;
  readonly hi: string | null;
};

type Waiting = SpreadAsk & {
  readonly resolve: (spread: Spread) => void;
  readonly reject: (error: unknown) => void;
};

let waiting: Waiting[] = [];

export function askSpread(ask: SpreadAsk): Promise<Spread> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) queueMicrotask(sendAll);
    waiting.push({ ...ask, resolve, reject });
  });
}

// about as many as one or two screens show; the rest is in a second request
const MOST_SERIES = 60;

function sendAll(): void {
  const all = waiting;
  waiting = [];
  for (const group of together(all)) void send(group);
}

/** Groups equal requests into complete tables of tags × runs. */
export function together<A extends SpreadAsk>(asks: readonly A[]): readonly (readonly A[])[] {
  const byTag = new Map<string, A[]>();
  for (const ask of asks) {
    const key = JSON.stringify([ask.kind, ask.limit, ask.lo, ask.hi, ask.tag]);
    byTag.set(key, [...(byTag.get(key) ?? []), ask]);
  }
  const answers = new Map<string, A[]>();
  const groups: A[][] = [];
  for (const own of byTag.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const runs = [...new Set(own.map(({ run }) => run))].sort();
    const key = JSON.stringify([first.kind, first.limit, first.lo, first.hi, runs]);
    const last = answers.get(key);
    if (last !== undefined && last.length + own.length <= MOST_SERIES) last.push(...own);
    else {
      answers.set(key, own);
      groups.push(own);
    }
  }
  return groups;
}

async function send(group: readonly Waiting[]): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const { rewinds } = boardSettings.peek();
  const question: SpreadQuestion = {
    tag: [...new Set(group.map(({ tag }) => tag))],
    run: [...new Set(group.map(({ run }) => run))],
    limit: first.limit,
    ...(first.lo === null ? {} : { lo: first.lo }),
    ...(first.hi === null ? {} : { hi: first.hi }),
    ...(rewinds === "board" ? {} : { rewinds }),
  };
  try {
    const answers = await answered(first.kind, question);
    for (const { tag, run, resolve, kind } of group) resolve(answers.get(keyOf(tag, run)) ?? nothing(kind));
  } catch (error) {
    // the request of one card is invalid: send each alone, so that only that card shows the error
    if (error instanceof ApiError && group.length > 1) for (const one of group) void send([one]);
    else for (const { reject } of group) reject(error);
  }
}

async function answered(kind: SpreadKind, question: SpreadQuestion): Promise<ReadonlyMap<string, Spread>> {
  return kind === "histograms"
    ? histogramsIn(await fetchHistograms(question))
    : percentilesIn(await fetchDistributions(question));
}

const keyOf = (tag: string, run: string): string => JSON.stringify([tag, run]);

function nothing(kind: SpreadKind): Spread {
  const none = new Float64Array(0);
  const stepped = { exact: none, steps: none, walls: none, odd: 0 };
  return kind === "histograms"
    ? { kind, ...stepped, first: new Uint32Array(1), lefts: none, rights: none, counts: none }
    : { kind: "percentiles", ...stepped, lines: 0, basisPoints: [], values: none };
}

// ---- responses

type Arrays = ReadonlyMap<string, unknown>;

function steppedIn(arrays: Arrays, { first, steps: count, odd }: BucketSeries): Stepped {
  const exact = (arrays.get("step") as Wholes).slice(first, first + count);
  const steps = exact instanceof Float64Array ? exact : Float64Array.from(exact, Number);
  return { exact, steps, walls: (arrays.get("wall") as Float64Array).slice(first, first + count), odd };
}

/** Each series gets its own arrays: they are copied to the drawing worker. */
export function histogramsIn(frame: ArrayBuffer): ReadonlyMap<string, Histograms> {
  const { header, arrays } = decodeFrame<HistogramsHeader>(frame);
  const firsts = arrays.get("first") as Float64Array;
  const edge = arrays.get("edge") as Float64Array;
  const count = arrays.get("count") as Float64Array;
  const answers = new Map<string, Histograms>();
  for (const listed of header.series) {
    const { run, tag, first: from, steps } = listed;
    const begin = firsts[from] ?? 0;
    const end = firsts[from + steps] ?? begin;
    const [lefts, rights] = [new Float64Array(end - begin), new Float64Array(end - begin)];
    const first = new Uint32Array(steps + 1);
    for (let i = 0; i < steps; i++) {
      // a step has one more edge than buckets
      const shift = from + i;
      const [own, next] = [firsts[shift] ?? 0, firsts[shift + 1] ?? 0];
      lefts.set(edge.subarray(own + shift, next + shift), own - begin);
      rights.set(edge.subarray(own + shift + 1, next + shift + 1), own - begin);
      first[i + 1] = next - begin;
    }
    const counts = count.slice(begin, end);
    answers.set(keyOf(tag, run), { kind: "histograms", ...steppedIn(arrays, listed), first, lefts, rights, counts });
  }
  return answers;
}

export function percentilesIn(frame: ArrayBuffer): ReadonlyMap<string, Percentiles> {
  const { header, arrays } = decodeFrame<DistributionsHeader>(frame);
  const basisPoints = header.basis_points;
  const lines = basisPoints.length;
  const all = arrays.get("value") as Float64Array;
  return new Map(
    header.series.map((listed) => {
      const values = all.slice(listed.first * lines, (listed.first + listed.steps) * lines);
      const stepped = steppedIn(arrays, listed);
      return [keyOf(listed.tag, listed.run), { kind: "percentiles" as const, ...stepped, lines, basisPoints, values }];
    }),
  );
}
