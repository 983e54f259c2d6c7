// The points of heavy kinds (images, texts, histograms …) without their values: steps, wall times and offsets. They are
// requested by tag when a card is near the viewport, several tags in one request; old data stay until the new response
// arrives.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Change, fetchSteps, type StepsHeader, type StepsQuestion } from "../api/client";
import { decodeFrame } from "../base/frame";
import { asProblem, board, onChange, type Problem } from "./board";
import { allDrawn } from "./drawn";
import { drawnRuns } from "./runs";
import { boardSettings } from "./view";

/** Integers; bigints if doubles would lose digits. */
export type Wholes = Float64Array | BigInt64Array;

/** Parallel arrays, one entry per point. */
export type SeriesSteps = {
  readonly steps: Wholes;
  /** Seconds since 1970. */
  readonly walls: Float64Array;
  /** Number of elements of each value, such as the images of a batch. */
  readonly counts: Int32Array;
  readonly bytes: Float64Array;
  readonly offsets: Wholes;
  /** The largest number of elements of any value. */
  readonly samples: number;
};

/** The key is the run. */
export type TagSteps = ReadonlyMap<string, SeriesSteps>;

export type Steps = {
  /** Null before the first response. It may include runs that are hidden now. */
  readonly runs: ReadonlySignal<TagSteps | null>;
  /** Returns true if the server has responded for the run. Reads signals. */
  readonly knows: (run: string) => boolean;
  /** Why the last request failed. */
  readonly problem: ReadonlySignal<Problem | null>;
  readonly retry: () => void;
  /** Requests the steps and updates them as the board grows, until the returned function is called. */
  readonly watch: () => () => void;
};

type Entry = Steps & {
  readonly kind: string;
  readonly tag: string;
  readonly runs: Signal<TagSteps | null>;
  readonly problem: Signal<Problem | null>;
  watchers: number;
  /** Runs that were in the requests so far. */
  answered: Set<string>;
  /** Number of responses. */
  readonly answers: Signal<number>;
  version: number;
  /** The board has grown since the last response. */
  stale: boolean;
  asking: boolean;
};

const entries = new Map<string, Entry>();

/**
 * Returns the steps of a tag of a kind (for `distributions`, those of `histograms`). They are requested when `watch` is
 * called.
 */
export function stepsOf(kind: string, tag: string): Steps {
  const key = `${kind}|${tag}`;
  const known = entries.get(key);
  if (known !== undefined) return known;
  const entry: Entry = {
    kind,
    tag,
    runs: signal(null),
    problem: signal(null),
    watchers: 0,
    answered: new Set(),
    answers: signal(0),
    version: -1,
    stale: false,
    asking: false,
    knows: (run) => entry.answers.value > 0 && entry.answered.has(run),
    retry: () => {
      entry.problem.value = null;
      askSoon();
    },
    watch: () => {
      follow();
      entry.watchers++;
      // move it to the end: the least recently used one is evicted first
      entries.delete(key);
      entries.set(key, entry);
      askSoon();
      return () => {
        entry.watchers--;
        forgetSome();
      };
    },
  };
  entries.set(key, entry);
  return entry;
}

// ---- memory

// about 36 bytes each
const MOST_POINTS = 3_000_000;

function forgetSome(): void {
  let points = 0;
  for (const entry of entries.values()) {
    for (const { walls } of entry.runs.peek()?.values() ?? []) points += walls.length;
  }
  for (const entry of entries.values()) {
    if (points <= MOST_POINTS) return;
    const held = entry.runs.peek();
    if (entry.watchers > 0 || entry.asking || held === null) continue;
    for (const { walls } of held.values()) points -= walls.length;
    entry.answered = new Set();
    entry.version = -1;
    entry.runs.value = null;
  }
}

// ---- requests

/** The missing part of an entry: runs (null: all), and only points newer than a version. */
type Need = { readonly entry: Entry; readonly runs: readonly string[] | null; readonly since: number };

function needOf(entry: Entry): Need | null {
  const drawn = drawnRuns.peek();
  if (entry.watchers === 0 || entry.asking || entry.problem.peek() !== null || drawn.length === 0) return null;
  const missing = entry.answered.size === 0 ? drawn : drawn.filter((run) => !entry.answered.has(run));
  if (missing.length === drawn.length) return { entry, runs: allDrawn.peek() ? null : drawn, since: -1 };
  if (missing.length > 0) return { entry, runs: missing, since: -1 };
  if (!entry.stale) return null;
  return { entry, runs: allDrawn.peek() ? null : drawn, since: entry.version };
}

// about as many as one or two screens show; the rest is in a second request
const MOST_TAGS = 40;

let due = false;

function askSoon(): void {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    const together = new Map<string, Need[]>();
    for (const entry of entries.values()) {
      const need = needOf(entry);
      if (need === null) continue;
      const key = JSON.stringify([entry.kind, need.since < 0, need.runs]);
      const same = together.get(key);
      if (same === undefined) together.set(key, [need]);
      else same.push(need);
    }
    for (const needs of together.values()) {
      for (let at = 0; at < needs.length; at += MOST_TAGS) void ask(needs.slice(at, at + MOST_TAGS));
    }
  });
}

let session = "";

async function ask(needs: readonly Need[]): Promise<void> {
  const [first] = needs;
  if (first === undefined) return;
  const { runs } = first;
  const since = Math.min(...needs.map((need) => need.since));
  const rewinds = boardSettings.peek().rewinds;
  const question: StepsQuestion = {
    kind: first.entry.kind as StepsQuestion["kind"],
    tag: needs.map(({ entry }) => entry.tag),
    ...(runs === null ? {} : { run: runs }),
    ...(rewinds === "board" ? {} : { rewinds }),
    ...(since < 0 ? {} : { since }),
  };
  const asked = { drawn: drawnRuns.peek(), session };
  for (const { entry, since } of needs) {
    entry.asking = true;
    // a response with only additional runs says nothing about the others
    if (since >= 0 || entry.answered.size === 0) entry.stale = false;
  }
  try {
    const { version, series } = stepsIn(await fetchSteps(question));
    // the server has restarted, or the setting has changed meanwhile: requested again below
    const counts = asked.session === session && rewinds === boardSettings.peek().rewinds;
    for (const { entry } of needs) {
      entry.asking = false;
      if (!counts) continue;
      const found = series.get(entry.tag) ?? new Map<string, SeriesSteps>();
      take(entry, runs ?? asked.drawn, found, version, since < 0);
    }
  } catch (error) {
    const problem = asProblem(error);
    for (const { entry } of needs) {
      entry.asking = false;
      entry.problem.value = problem;
    }
  }
  askSoon();
}

/** `whole`: requested runs that are not in the response have no points; otherwise they keep their old points. */
function take(entry: Entry, runs: readonly string[], found: TagSteps, version: number, whole: boolean): void {
  const held = entry.runs.peek();
  const next = new Map(held ?? []);
  if (whole) for (const run of runs) next.delete(run);
  for (const [run, series] of found) next.set(run, series);
  if (!whole || entry.answered.size === 0) {
    // hidden runs were not requested: they will be when they are drawn again
    entry.answered = new Set(runs);
    entry.version = version;
  } else for (const run of runs) entry.answered.add(run);
  entry.problem.value = null;
  if (whole) entry.answers.value++;
  if (held === null || found.size > 0 || next.size !== held.size) entry.runs.value = next;
}

/** Decodes the series of a response, by tag and run. Arrays are views into the response. */
export function stepsIn(frame: ArrayBuffer): {
  readonly version: number;
  readonly series: ReadonlyMap<string, TagSteps>;
} {
  const { header, arrays } = decodeFrame<StepsHeader>(frame);
  const step = arrays.get("step") as Wholes;
  const wall = arrays.get("wall") as Float64Array;
  const count = arrays.get("count") as Int32Array;
  const bytes = arrays.get("bytes") as Float64Array;
  const offset = arrays.get("offset") as Wholes;
  const series = new Map<string, Map<string, SeriesSteps>>();
  for (const { run, tag, first, points, samples } of header.series) {
    const end = first + points;
    const one: SeriesSteps = {
      steps: step.subarray(first, end),
      walls: wall.subarray(first, end),
      counts: count.subarray(first, end),
      bytes: bytes.subarray(first, end),
      offsets: offset.subarray(first, end),
      samples,
    };
    const ofTag = series.get(tag);
    if (ofTag === undefined) series.set(tag, new Map([[run, one]]));
    else ofTag.set(run, one);
  }
  return { version: header.version, series };
}

// ---- following

// a page that follows a running training sends at most one request in this time
const LIVE_INTERVAL_MS = 1000;
let liveTimer: ReturnType<typeof setTimeout> | undefined;
let lastLive = Number.NEGATIVE_INFINITY;
let following = false;

function follow(): void {
  if (following) return;
  following = true;
  session = board.peek()?.session ?? "";
  onChange(hear);
  effect(() => {
    void drawnRuns.value;
    askSoon();
  });
  let rewinds = boardSettings.peek().rewinds;
  effect(() => {
    if (boardSettings.value.rewinds === rewinds) return;
    rewinds = boardSettings.value.rewinds;
    startOver();
  });
}

function startOver(): void {
  for (const entry of entries.values()) {
    entry.answered = new Set();
    entry.version = -1;
    entry.problem.value = null;
  }
  askSoon();
}

function hear(change: Change): void {
  if (change.session !== session) {
    // the server has restarted, and versions start again
    session = change.session;
    startOver();
    return;
  }
  let any = false;
  for (const entry of entries.values()) {
    if (!concerns(change, entry)) continue;
    entry.stale = true;
    // a change means that the server or the log is available again
    entry.problem.value = null;
    any ||= entry.watchers > 0;
  }
  if (!any || liveTimer !== undefined) return;
  liveTimer = setTimeout(
    () => {
      liveTimer = undefined;
      lastLive = performance.now();
      askSoon();
    },
    Math.max(0, lastLive + LIVE_INTERVAL_MS - performance.now()),
  );
}

function concerns(change: Change, { kind, tag, answered }: Entry): boolean {
  const tags = change.tags[kind];
  if (tags === undefined || (tags !== "all" && !tags.includes(tag))) return false;
  return change.runs === "all" || change.runs.some((run) => answered.has(run));
}
