// Precision-recall curves of selected steps: requested together, cached up to a limit, and shown until the next ones
// have arrived.

import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type CurvesHeader, fetchPrCurves, type PrCurvesQuestion } from "../api/client";
import { decodeFrame } from "../base/frame";
import { asProblem, type Problem } from "./board";
import { explainedText } from "./explained";
import { boardSettings } from "./view";

/** A point of a series of curves; the wall time distinguishes two points at the same step. */
export type CurvePlace = { readonly run: string; readonly tag: string; readonly step: string; readonly wall: number };

/** Parallel arrays, one entry per threshold. */
export type Curve = {
  readonly place: CurvePlace;
  /** Precision is undefined from this threshold on. */
  readonly defined: number;
  readonly averagePrecision: number | null;
  readonly rocArea: number | null;
  readonly bestF1: number | null;
  readonly bestThreshold: number | null;
  /** Why there are no numbers; "" if there are. */
  readonly problem: string;
  readonly threshold: Float64Array;
  readonly truePositives: Float64Array;
  readonly falsePositives: Float64Array;
  readonly trueNegatives: Float64Array;
  readonly falseNegatives: Float64Array;
  readonly precision: Float64Array;
  readonly recall: Float64Array;
  readonly truePositiveRate: Float64Array;
  readonly falsePositiveRate: Float64Array;
  readonly f1: Float64Array;
};

export type Curves = {
  /** In the order of the requested points; null before the first response. */
  readonly shown: ReadonlySignal<readonly Curve[] | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly retry: () => void;
  readonly close: () => void;
};

// ---- what is known

const known = new Map<string, Curve>();
let heldPoints = 0;
// about 80 bytes each
const MOST_POINTS = 400_000;

function keyOf({ run, tag, step, wall }: CurvePlace): string {
  return JSON.stringify([run, tag, step, wall, boardSettings.peek().rewinds]);
}

function find(place: CurvePlace): Curve | undefined {
  const key = keyOf(place);
  const curve = known.get(key);
  if (curve === undefined) return undefined;
  // move it to the end: the least recently used one is evicted first
  known.delete(key);
  known.set(key, curve);
  return curve;
}

function keep(curve: Curve): void {
  known.set(keyOf(curve.place), curve);
  heldPoints += curve.threshold.length;
  for (const [key, { threshold }] of known) {
    if (heldPoints <= MOST_POINTS || known.size < 2) return;
    known.delete(key);
    heldPoints -= threshold.length;
  }
}

// ---- requests

// a response has at most 10,000 curves
const MOST_AT_ONCE = 2000;

/** Points that wait for the next request. */
let waiting = new Map<string, CurvePlace>();
let due: Promise<void> | null = null;

/** Batches the points of all cards that call it in the same task into one request. */
function load(places: readonly CurvePlace[]): Promise<void> {
  for (const place of places) waiting.set(keyOf(place), place);
  due ??= Promise.resolve().then(async () => {
    const all = [...waiting.values()];
    waiting = new Map();
    due = null;
    for (let at = 0; at < all.length; at += MOST_AT_ONCE) await ask(all.slice(at, at + MOST_AT_ONCE));
  });
  return due;
}

async function ask(places: readonly CurvePlace[]): Promise<void> {
  const { rewinds } = boardSettings.peek();
  const question = {
    tag: places.map(({ tag }) => tag),
    run: places.map(({ run }) => run),
    // as text: steps may have more digits than a double
    step: places.map(({ step }) => step) as readonly unknown[] as readonly number[],
    ...(places.every(({ wall }) => Number.isFinite(wall)) ? { wall_time: places.map(({ wall }) => wall) } : {}),
    ...(rewinds === "board" ? {} : { rewinds }),
  } satisfies PrCurvesQuestion;
  const curves = curvesIn(await fetchPrCurves(question), places);
  for (const curve of curves) keep(curve);
}

/** Decodes the curves of a response for these points. Arrays are views into the response. */
export function curvesIn(frame: ArrayBuffer, places: readonly CurvePlace[]): readonly Curve[] {
  const { header, arrays } = decodeFrame<CurvesHeader>(frame);
  return header.curves.flatMap((facts, at) => {
    const place = places[at];
    if (place === undefined) return [];
    const numbers = (name: string): Float64Array =>
      ((arrays.get(name) as Float64Array | undefined) ?? new Float64Array()).subarray(
        facts.first,
        facts.first + facts.thresholds,
      );
    return [
      {
        place,
        defined: facts.defined,
        averagePrecision: facts.average_precision,
        rocArea: facts.roc_area,
        bestF1: facts.best_f1,
        bestThreshold: facts.best_threshold,
        // read when it is shown: its sentence may not be loaded yet
        get problem() {
          return facts.problem === null ? "" : explainedText(facts.problem);
        },
        threshold: numbers("threshold"),
        truePositives: numbers("true_positives"),
        falsePositives: numbers("false_positives"),
        trueNegatives: numbers("true_negatives"),
        falseNegatives: numbers("false_negatives"),
        precision: numbers("precision"),
        recall: numbers("recall"),
        truePositiveRate: numbers("true_positive_rate"),
        falsePositiveRate: numbers("false_positive_rate"),
        f1: numbers("f1"),
      },
    ];
  });
}

// no busy indicator for faster responses
const BUSY_AFTER_MS = 400;

/**
 * Follows the curves of changing points: while a slider moves, there is one request at a time, for the newest points.
 */
export function followCurves(wanted: ReadonlySignal<readonly CurvePlace[]>): Curves {
  const follower = new CurveFollower(wanted);
  const stop = effect(() => {
    void wanted.value;
    follower.consider();
  });
  return {
    shown: follower.shown,
    problem: follower.problem,
    busy: follower.busy,
    retry: () => {
      follower.problem.value = null;
      follower.consider();
    },
    close: () => {
      follower.close();
      stop();
    },
  };
}

class CurveFollower {
  readonly shown = signal<readonly Curve[] | null>(null);
  readonly problem = signal<Problem | null>(null);
  readonly busy = signal(false);
  /** A request is in flight. At most one. */
  private loading = false;
  private closed = false;

  constructor(private readonly wanted: ReadonlySignal<readonly CurvePlace[]>) {}

  /** Shows the wanted curves if all are cached, otherwise requests the missing ones. */
  consider(): void {
    if (this.closed) return;
    const places = this.wanted.peek();
    const curves = places.map(find);
    if (curves.every((curve) => curve !== undefined)) {
      batch(() => {
        this.shown.value = curves;
        this.busy.value = false;
        this.problem.value = null;
      });
      return;
    }
    if (this.loading || this.problem.peek() !== null) return;
    void this.loadMissing(places.filter((_, at) => curves[at] === undefined));
  }

  close(): void {
    this.closed = true;
  }

  private async loadMissing(places: readonly CurvePlace[]): Promise<void> {
    this.loading = true;
    const timer = setTimeout(() => {
      this.busy.value = true;
    }, BUSY_AFTER_MS);
    try {
      await load(places);
    } catch (error) {
      if (!this.closed) this.problem.value = asProblem(error);
    }
    clearTimeout(timer);
    this.loading = false;
    this.consider();
    if (!this.loading) this.busy.value = false;
  }
}
