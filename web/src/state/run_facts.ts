// The runs of the board as values that stay the same object while nothing changes: the server sends the whole list
// several times a minute, and charts must not restart each time.

import { computed, effect, type ReadonlySignal } from "@preact/signals";
import { refresh, rowOfRun, runs } from "./board";

export type RunState = "running" | "idle" | "finished" | "crashed" | "empty";
export const RUN_STATES: readonly RunState[] = ["running", "idle", "finished", "crashed", "empty"];

/** Returns a computed list of names that stays the same array as long as it has the same names. */
export function steady(compute: () => readonly string[]): ReadonlySignal<readonly string[]> {
  let last: readonly string[] = [];
  return computed(() => {
    const next = compute();
    if (!sameNames(last, next)) last = next;
    return last;
  });
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** Names of all runs in natural order. */
export const allRuns = steady(() => runs.value?.name ?? []);

/** Index of each run in natural order. */
export const placeOfRun = computed<ReadonlyMap<string, number>>(
  () => new Map(allRuns.value.map((name, place) => [name, place])),
);

export type RunFacts = {
  readonly start: number | null;
  readonly last: number | null;
  readonly duration: number | null;
  readonly state: RunState;
  readonly files: number;
  readonly faults: number;
};

const UNKNOWN: RunFacts = { start: null, last: null, duration: null, state: "empty", files: 0, faults: 0 };

export function factsOf(name: string): RunFacts {
  const row = rowOfRun.value.get(name);
  const columns = runs.value;
  if (row === undefined || columns === null) return UNKNOWN;
  return {
    start: columns.start_time[row] ?? null,
    last: columns.last_time[row] ?? null,
    duration: columns.duration[row] ?? null,
    state: stateWord(columns.state[row]),
    files: columns.files[row] ?? 0,
    faults: columns.faults[row] ?? 0,
  };
}

function stateWord(word: string | undefined): RunState {
  return RUN_STATES.find((state) => state === word) ?? "empty";
}

/** Returns the runs that started last, newest first. */
export function newestRuns(count: number): readonly string[] {
  const columns = runs.value;
  if (columns === null) return [];
  const rows = columns.start_time.flatMap((start, row) => (start === null ? [] : [row]));
  rows.sort((a, b) => (columns.start_time[b] ?? 0) - (columns.start_time[a] ?? 0));
  return rows.slice(0, count).flatMap((row) => columns.name[row] ?? []);
}

const runsByStart = steady(() => {
  const columns = runs.value;
  if (columns === null) return [];
  const rows = columns.name.map((_, row) => row);
  const startOf = (row: number): number => columns.start_time[row] ?? Number.POSITIVE_INFINITY;
  rows.sort((a, b) => (startOf(a) === startOf(b) ? a - b : startOf(a) - startOf(b)));
  return rows.map((row) => columns.name[row] ?? "");
});

/** Rank of each run by start time, then name: a new run is last, so the ranks of others do not change. */
export const startRank = computed<ReadonlyMap<string, number>>(
  () => new Map(runsByStart.value.map((name, rank) => [name, rank])),
);

const slots = computed<readonly number[]>(() => runs.value?.slot ?? []);

/** Slot of each run: the number of its color. */
export const slotOfRun = computed<ReadonlyMap<string, number>>(() => {
  const numbers = slots.value;
  return new Map(allRuns.value.map((name, row) => [name, numbers[row] ?? 0]));
});

// ---- states that change by the clock

// a run without new data becomes idle, finished or crashed without an event
const JUDGED_AGAIN_MS = 60_000;
// a longer list takes seconds to send; its states are updated when something is logged
const MANY_RUNS = 20_000;

function mayChange(): boolean {
  const known = runs.peek();
  if (known === null || known.name.length > MANY_RUNS || document.hidden) return false;
  return known.state.some((state) => state === "running" || state === "idle");
}

const loaded = computed(() => runs.value !== null);

effect(() => {
  if (!loaded.value || typeof document === "undefined") return;
  const timer = setInterval(() => {
    if (mayChange()) void refresh();
  }, JUDGED_AGAIN_MS);
  return () => clearInterval(timer);
});
