// What the server has told us of the board: name, progress, runs, tags. Kept fresh by pushed changes; while the tab is
// hidden it rests, and catches up in one go. Who needs more (the charts) listens with `onChange`.

import { computed, signal } from "@preact/signals";
import {
  ApiError,
  type Board,
  type Change,
  fetchBoard,
  fetchRuns,
  fetchTags,
  listen,
  type Progress,
  type Runs,
  type TagColumns,
} from "../api/client";
import { coalesced, newestGate } from "../base/newest";

export type Problem = {
  readonly kind: "refused" | "unreachable" | "other";
  readonly message: string;
  readonly hint: string;
};

/** "resting": the tab is hidden and asks for nothing. */
export type Connection = "connecting" | "live" | "lost" | "resting";

export const board = signal<Board | null>(null);
/** Parallel columns, in natural order of the names. Null until the first answer. */
export const runs = signal<Runs | null>(null);
export const kinds = signal<Readonly<Record<string, TagColumns>>>({});
export const progress = signal<Progress | null>(null);
export const faults = signal(0);
/** Why the newest refresh failed; null when it did not. What an earlier one brought stays visible meanwhile. */
export const problem = signal<Problem | null>(null);
export const connection = signal<Connection>("connecting");
/** When the last news came, by the page's clock (Date.now()). */
export const updatedAt = signal<number | null>(null);

export const rowOfRun = computed<ReadonlyMap<string, number>>(
  () => new Map((runs.value?.name ?? []).map((name, row) => [name, row])),
);

const listeners = new Set<(change: Change) => void>();

/** Called for every pushed change, and with everything changed after a restart of the server. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof ApiError) {
    const kind = error.status === 401 || error.status === 403 ? "refused" : "other";
    return { kind, message: error.message, hint: error.hint };
  }
  // what fetch throws when the server is not there
  const kind = error instanceof TypeError ? "unreachable" : "other";
  return { kind, message: error instanceof Error ? error.message : String(error), hint: "" };
}

const gate = newestGate();

async function load() {
  try {
    const [newBoard, newRuns, newTags] = await Promise.all([fetchBoard(), fetchRuns(), fetchTags()]);
    return { newBoard, newRuns, newTags };
  } catch (error) {
    return asProblem(error);
  }
}

/** Ask for everything again. */
export async function refresh(): Promise<void> {
  const { newest, answer } = await gate(load());
  if (!newest) return;
  if (!("newBoard" in answer)) {
    problem.value = answer;
    return;
  }
  board.value = answer.newBoard;
  progress.value = answer.newBoard.progress;
  faults.value = answer.newBoard.faults;
  runs.value = answer.newRuns;
  kinds.value = answer.newTags.kinds;
  problem.value = null;
  updatedAt.value = Date.now();
}

// A busy training run flushes many times a second; asking that often would show nothing more.
const REFRESH_DELAY_MS = 400;
const refreshSoon = coalesced(() => void refresh(), REFRESH_DELAY_MS);

function take(change: Change): void {
  progress.value = change.progress;
  faults.value = change.faults;
  updatedAt.value = Date.now();
  refreshSoon();
  for (const listener of listeners) listener(change);
}

const listener = {
  onChange: take,
  onConnection: (open: boolean) => {
    connection.value = open ? "live" : "lost";
  },
};

/** Load the board and keep it fresh for as long as the page is open. */
export function follow(): void {
  void refresh();
  let stop = listen("", listener);
  document.addEventListener("visibilitychange", () => {
    const last = stop();
    if (document.hidden) {
      connection.value = "resting";
      stop = () => last;
    } else {
      connection.value = "connecting";
      // the first message tells all that changed since the last one seen
      stop = listen(last, listener);
    }
  });
}
