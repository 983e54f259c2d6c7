// The page's state of the board: name, progress, runs, tags. The server pushes changes, and only what changed is loaded
// again. While the tab is hidden nothing is loaded; afterwards one request catches up. Charts listen with `onChange`.

import { batch, computed, signal } from "@preact/signals";
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
  type SnapshotInfo,
  snapshot,
  type Tags,
} from "../api/client";
import { paced } from "../base/newest";
import { explained } from "./explained";
import { type Kinds, mergeRuns, mergeTags, settleKinds } from "./merging";

export { type Board, type Progress, type SnapshotInfo, snapshot };

export type Problem = {
  /** "absent": there is no such answer, however often one asks; a snapshot has only what was recorded. */
  readonly kind: "refused" | "unreachable" | "absent" | "other";
  readonly message: string;
  readonly hint: string;
};

/** "resting": the tab is hidden and sends no requests. "none": the page is a snapshot and has no server. */
export type Connection = "connecting" | "live" | "lost" | "resting" | "none";

export const board = signal<Board | null>(null);
/** Parallel columns, in natural order of the names. Null until the first response. */
export const runs = signal<Runs | null>(null);
export const kinds = signal<Kinds>({});
/** True after `kinds` has been loaded: before that an empty board cannot be recognized. */
export const kindsKnown = signal(false);
export const progress = signal<Progress | null>(null);
export const faults = signal(0);
/** Why the last refresh failed; null if it did not. The data of earlier refreshes stay visible. */
export const problem = signal<Problem | null>(null);
export const connection = signal<Connection>("connecting");
/** Time of the last update, by the page's clock (Date.now()). */
export const updatedAt = signal<number | null>(null);
/** True while a refresh that the user requested is running. */
export const refreshing = signal(false);

// the same array until a run is added or removed, so that values derived from it are not recomputed
const names = computed<readonly string[]>(() => runs.value?.name ?? []);

export const rowOfRun = computed<ReadonlyMap<string, number>>(
  () => new Map(names.value.map((name, row) => [name, row])),
);

const listeners = new Set<(change: Change) => void>();

/** Called for every pushed change, and with everything changed after a restart of the server. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function asProblem(error: unknown): Problem {
  if (error instanceof ApiError) {
    const refused = error.status === 401 || error.status === 403;
    const kind = refused ? "refused" : error.status === 501 ? "absent" : "other";
    // read when it is shown: the language may have changed meanwhile
    return {
      kind,
      get message() {
        return explained(error).message;
      },
      get hint() {
        return explained(error).hint;
      },
    };
  }
  // fetch throws a TypeError if the server cannot be reached
  const kind = error instanceof TypeError ? "unreachable" : "other";
  return { kind, message: error instanceof Error ? error.message : String(error), hint: "" };
}

// ---- everything

let session = "";
let tagsVersion = 0;
// counts full loads: responses to requests of earlier loads are ignored
let generation = 0;

// responses that arrive within this time are rendered together
const TOGETHER_MS = 50;

/** Shows each response as soon as it arrives, or a moment later together with others. */
async function loadAll(mine: number): Promise<void> {
  let asking = 0;
  let come: (() => void)[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const puts = come;
    come = [];
    if (mine === generation) {
      batch(() => {
        for (const put of puts) put();
      });
    }
  };
  const take = async <T>(asked: Promise<T>, put: (answer: T) => void): Promise<void> => {
    asking++;
    try {
      const answer = await asked;
      come.push(() => put(answer));
    } finally {
      asking--;
      if (asking === 0) show();
      else timer ??= setTimeout(show, TOGETHER_MS);
    }
  };
  await Promise.all([take(fetchBoard(), putBoard), take(fetchRuns(), putRuns), take(fetchTags(), putTags)]);
}

function putBoard(answer: Board): void {
  board.value = answer;
  progress.value = answer.progress;
  faults.value = answer.faults;
  session = answer.session;
}

function putRuns(answer: Runs): void {
  runs.value = answer;
}

function putTags(answer: Tags): void {
  kinds.value = settleKinds(kinds.peek(), answer.kinds);
  kindsKnown.value = true;
  tagsVersion = answer.version;
}

/** Loads everything again. */
export async function refresh(): Promise<void> {
  generation += 1;
  const mine = generation;
  refreshing.value = true;
  const failure = await loadAll(mine).then(() => null, asProblem);
  if (mine !== generation) return;
  refreshing.value = false;
  problem.value = failure;
  if (failure === null) updatedAt.value = Date.now();
}

// ---- only what changed

type Due = { readonly runs: boolean; readonly tags: "no" | "since" | "all"; readonly board: boolean };

const NOTHING_DUE: Due = { runs: false, tags: "no", board: false };
let due = NOTHING_DUE;

function both(one: Due, other: Due): Due {
  const tags = one.tags === "all" || other.tags === "all" ? "all" : one.tags === "no" ? other.tags : one.tags;
  return { runs: one.runs || other.runs, tags, board: one.board || other.board };
}

const tagNames = computed<Readonly<Record<string, ReadonlySet<string>>>>(() =>
  Object.fromEntries(Object.entries(kinds.value).map(([kind, { tag }]) => [kind, new Set(tag)])),
);

/** Returns true if a change names an unknown tag. */
function hasNewTags(change: Change): boolean {
  return Object.entries(change.tags).some(([kind, tags]) => {
    const known = tagNames.peek()[kind];
    return known === undefined || tags === "all" || tags.some((tag) => !known.has(tag));
  });
}

async function catchUp(): Promise<void> {
  const known = runs.peek();
  if (known === null) return;
  const asked = due;
  due = NOTHING_DUE;
  const mine = generation;
  try {
    const [newBoard, newRuns] = await Promise.all([
      asked.board ? fetchBoard() : null,
      asked.runs ? fetchRuns({ since: known.version }) : null,
    ]);
    if (mine !== generation) return;
    if (newBoard !== null) putBoard(newBoard);
    const before = names.peek();
    if (newRuns !== null) runs.value = mergeRuns(runs.peek() ?? known, newRuns, rowOfRun.peek());
    // a removed run may have been the last with some tags; a new run may have new tags
    const gone = newRuns !== null && newRuns.removed.length > 0;
    const tags = gone ? "all" : before !== names.peek() ? "since" : asked.tags;
    if (tags !== "no") {
      const answer = await fetchTags(tags === "all" ? {} : { since: tagsVersion });
      if (mine !== generation) return;
      if (tags === "all") putTags(answer);
      else {
        kinds.value = mergeTags(kinds.peek(), answer.kinds);
        tagsVersion = answer.version;
      }
    }
    problem.value = null;
  } catch (error) {
    due = both(due, asked);
    if (mine === generation) problem.value = asProblem(error);
  }
}

// A training run may flush many times a second; more frequent requests would show nothing more.
const catchUpSoon = paced(catchUp, 300);

// A run may get a tag that other runs already have: only the count of runs changes, which can wait.
const RECOUNT_MS = 5000;
const recountSoon = paced(async () => {
  await new Promise((resolve) => setTimeout(resolve, RECOUNT_MS));
  due = both(due, { ...NOTHING_DUE, tags: "since" });
  catchUpSoon();
}, 0);

function take(change: Change): void {
  const restarted = session !== "" && change.session !== session;
  const wasEmpty = names.peek().length === 0;
  const ended = change.progress.done && progress.peek()?.done !== true;
  session = change.session;
  progress.value = change.progress;
  faults.value = change.faults;
  updatedAt.value = Date.now();
  if (restarted) {
    due = NOTHING_DUE;
    void refresh();
  } else {
    const newTags = hasNewTags(change);
    // nothing that is named here: a source that fails, or that can be read again
    const other =
      change.runs.length === 0 && Object.keys(change.tags).length === 0 && !change.annotations && !change.views;
    due = both(due, {
      runs: change.runs === "all" || change.runs.length > 0,
      tags: newTags ? "since" : "no",
      // it has the counts of kinds that are found in other data: hyperparameters in texts
      board: wasEmpty || ended || newTags || (other && change.progress.done),
    });
    if (due.runs || due.board || due.tags !== "no") catchUpSoon();
    if (Object.keys(change.tags).length > 0) recountSoon();
  }
  for (const listener of listeners) listener(change);
}

// ---- what the server does not push

// Polling: a run stops without an event, and a directory may be created or become readable without an event.
const LOOK_MS = 30_000;
const LOOK_WHILE_EMPTY_MS = 4000;
const SILENT_STATES = new Set(["running", "idle"]);

/** A run that was running and is no longer in the response has finished: there is no other possible state. */
async function lookForSilentRuns(): Promise<void> {
  const known = runs.peek();
  if (known === null || !known.state.some((state) => SILENT_STATES.has(state))) return;
  const mine = generation;
  const alive = await fetchRuns({ filter: 'status in ["running", "idle", "crashed"]' });
  const now = runs.peek();
  if (mine !== generation || now === null) return;
  const stateOf = new Map(alive.name.map((name, row) => [name, alive.state[row] ?? "finished"]));
  const state = now.state.map((before, row) =>
    SILENT_STATES.has(before) ? (stateOf.get(now.name[row] ?? "") ?? "finished") : before,
  );
  if (state.some((word, row) => word !== now.state[row])) runs.value = { ...now, state };
}

let lookedAt = 0;

async function look(): Promise<void> {
  if (document.hidden || connection.peek() !== "live") return;
  const empty = names.peek().length === 0;
  if (!empty && Date.now() - lookedAt < LOOK_MS) return;
  lookedAt = Date.now();
  if (empty) {
    due = both(due, { ...NOTHING_DUE, board: true });
    catchUpSoon();
  } else await lookForSilentRuns().catch(() => {});
}

// ---- the stream

let stop: (() => string) | null = null;

function connect(since: string): void {
  connection.value = "connecting";
  stop = listen(since, {
    onChange: take,
    onConnection: (open) => {
      const lost = connection.peek() === "lost";
      connection.value = open ? "live" : "lost";
      if (!open && !lost) void learnWhy();
    },
  });
}

/** A broken stream gives no reason, but a request does, for example that the board restarted with another token. */
async function learnWhy(): Promise<void> {
  const failure = await fetchBoard().then(() => null, asProblem);
  if (failure?.kind === "refused") problem.value = failure;
}

/** Reconnects immediately and loads everything again. */
export function reconnect(): void {
  if (stop !== null && connection.peek() !== "live") connect(stop());
  void refresh();
}

const FIRST_RETRY_MS = 3000;

async function begin(): Promise<void> {
  await refresh();
  if (snapshot !== null) {
    connection.value = "none";
    return;
  }
  while (board.peek() === null || runs.peek() === null) {
    connection.value = "lost";
    await new Promise((resolve) => setTimeout(resolve, FIRST_RETRY_MS));
    await refresh();
  }
  const version = Math.min(board.peek()?.version ?? 0, runs.peek()?.version ?? 0, tagsVersion);
  const since = `${session}-${version}`;
  if (document.hidden) {
    connection.value = "resting";
    stop = () => since;
  } else connect(since);
  document.addEventListener("visibilitychange", () => {
    const last = stop?.() ?? "";
    if (document.hidden) {
      connection.value = "resting";
      stop = () => last;
    }
    // the first message contains all changes since the last received one
    else connect(last);
  });
  window.addEventListener("online", reconnect);
  setInterval(() => void look(), LOOK_WHILE_EMPTY_MS);
}

/** Loads the board and updates it as long as the page is open. */
export function follow(): void {
  void begin();
}
