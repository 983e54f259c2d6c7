// The shown layout: requested when its inputs change, polled while the server computes it, canceled when the page is
// left. Its coordinates are sent to the drawing worker unread.

import { computed, effect, signal, untracked } from "@preact/signals";
import {
  ApiError,
  cancelLayout,
  fetchLayout,
  type LayoutQuestion,
  type Status,
  startLayout,
  steerLayout,
} from "../api/client";
import { asProblem, type Problem } from "./board";
import { explained } from "./explained";
import { type Embedding, embedding, isUsable, keyOf } from "./projector";
import { only, onlyKey, onlyPending } from "./projector_only";
import { asRows } from "./projector_rows";
import { loadSentences } from "./sentences";
import { type View, view } from "./view";

/** Status of the last requested layout; null before it is known. */
export const layoutStatus = signal<Status | null>(null);
export const layoutProblem = signal<Problem | null>(null);
/** True if the layout would take long, so that the user has to start it. */
export const layoutWaits = signal(false);

/** With more points than this, an iterative layout must be started by the user. */
const UNASKED_ROWS = 200_000;

/** Returns the request for a layout. The order of members matters: its JSON is used as a key. */
export function questionOf(of: Embedding, chosen: View): LayoutQuestion | null {
  const { projectorMethod: method, projectorDims: dims, projectorSphereize: sphereize } = chosen;
  const base = { run: of.run, name: of.name, method, dims, sphereize };
  switch (method) {
    case "pca":
      return base;
    case "umap":
      return { ...base, neighbors: chosen.projectorNeighbors, min_distance: chosen.projectorMinDistance };
    case "tsne": {
      const { projectorSuperviseBy: by, projectorSupervise: supervise, projectorIgnore: ignore } = chosen;
      const free = by === "" || supervise === 0;
      return {
        ...base,
        perplexity: chosen.projectorPerplexity,
        learning_rate: chosen.projectorLearningRate,
        ...(free ? {} : { supervise: supervise / 100, label: by }),
        ...(free || ignore === "" ? {} : { ignore }),
      };
    }
    case "custom": {
      const axes = chosen.projectorAxes;
      if (axes === null) return null;
      const { by, left, right, up, down } = axes;
      return left + right + up + down === "" ? null : { ...base, dims: 2, column: by, left, right, up, down };
    }
  }
}

/** Returns the columns used as axes: for PCA the selected components that exist, otherwise none. */
export function axesOf({ dims, rows }: Pick<Embedding, "dims" | "rows">, chosen: View): readonly number[] {
  if (chosen.projectorMethod !== "pca") return [];
  const there = Math.min(10, dims, rows);
  const axes = chosen.projectorComponents.slice(0, chosen.projectorDims);
  return axes.filter((axis) => axis < there);
}

/** `only`: the rules that select the points of the layout; "": all points. */
type Key = readonly [embedding: string, asked: LayoutQuestion, axes: readonly number[], only: string];

/** Number of points in the layout. */
const rowsLaidOut = computed(() => only.value?.length ?? embedding.value?.rows ?? 0);

/** Changes when another layout must be shown. */
const question = computed<string>(() => {
  const of = embedding.value;
  if (of === null || !isUsable(of) || rowsLaidOut.value === 0) return "";
  const asked = questionOf(of, view.value);
  if (asked === null) return "";
  const axes = axesOf({ dims: of.dims, rows: rowsLaidOut.value }, view.value);
  const key: Key = [keyOf(of), asked, axes, onlyKey.value];
  return JSON.stringify(key);
});

const partsOf = (key: string): Key => JSON.parse(key) as Key;
const isHeavy = (method: string): boolean => method === "umap" || method === "tsne";

/** Key of the layout to show; "" for none. */
export const layoutKey = question;

type Job = { readonly key: string; readonly id: string };

let job: Job | null = null;
/** Layouts that the server still has, by key: they are shown again without a new computation. */
const finished = new Map<string, string>();
const MOST_FINISHED = 12;

/** `rows`: indices of the points of the coordinates, in order; null: all points. */
export type Deliver = (frame: ArrayBuffer, key: string, rows: Uint32Array | null) => void;

let deliver: Deliver | null = null;
let giveUp = new AbortController();
/** Key of the layout whose coordinates were delivered last. */
let shown = "";

function headerOf(frame: ArrayBuffer): Status {
  const length = new DataView(frame).getUint32(4, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 8, length))) as Status;
}

const ENDED: ReadonlySet<string> = new Set(["done", "stopped", "failed"]);
const WAIT_SECS = 2;
// the server may be too busy for long polling
const PAUSE_MS = 120;

async function run(key: string, signal: AbortSignal): Promise<void> {
  const [, asked] = partsOf(key);
  layoutProblem.value = null;
  try {
    const known = finished.get(key);
    if (known !== undefined && (await followed(known, key, signal))) return;
    if (signal.aborted) return;
    const { id } = await startLayout({ ...asked, ...asRows(only.peek(), embedding.peek()?.rows ?? 0) });
    if (signal.aborted) {
      if (isHeavy(asked.method)) void cancelLayout(id).catch(() => {});
      return;
    }
    job = { key, id };
    await followed(id, key, signal);
  } catch (error) {
    if (!signal.aborted) layoutProblem.value = asProblem(error);
  }
}

/** Returns false if the server no longer has the layout. */
async function followed(id: string, key: string, signal: AbortSignal, first = 0): Promise<boolean> {
  const [, , axes] = partsOf(key);
  const rows = only.peek();
  for (let since = first; ; ) {
    const begin = performance.now();
    let frame: ArrayBuffer;
    try {
      frame = await fetchLayout(id, { since, wait: WAIT_SECS, axes }, { signal });
    } catch (error) {
      finished.delete(key);
      if (signal.aborted) return true;
      if (error instanceof ApiError && error.status === 404 && job?.id !== id) return false;
      throw error;
    }
    if (signal.aborted) return true;
    const status = headerOf(frame);
    layoutStatus.value = status;
    if (status.problem !== null) {
      await loadSentences();
      layoutProblem.value = { kind: "other", ...explained(status.problem) };
    }
    const news = status.version > since;
    since = status.version;
    if (news) {
      deliver?.(frame, key, rows);
      shown = key;
    }
    if (ENDED.has(status.state)) {
      if (status.state !== "failed") keep(key, id);
      if (job?.id === id) job = null;
      return true;
    }
    const rest = PAUSE_MS - (performance.now() - begin);
    if (!news && rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
    if (signal.aborted) return true;
  }
}

function keep(key: string, id: string): void {
  finished.delete(key);
  finished.set(key, id);
  for (const old of finished.keys()) {
    if (finished.size <= MOST_FINISHED) break;
    finished.delete(old);
  }
}

function leave(): void {
  giveUp.abort();
  giveUp = new AbortController();
  // fast layouts are not canceled: another page may use them, too
  if (job !== null && isHeavy(partsOf(job.key)[1].method)) void cancelLayout(job.id).catch(() => {});
  job = null;
}

function begin(key: string): void {
  leave();
  layoutWaits.value = false;
  layoutStatus.value = null;
  void run(key, giveUp.signal);
}

// debounce: while a slider is dragged, only its final value is requested
const REST_MS = 350;

/** Updates the layout while the page is open; `to` gets each frame. Returns a function that stops. */
export function followLayout(to: Deliver, none: () => void): () => void {
  deliver = to;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: string | null = null;
  const stop = effect(() => {
    const key = question.value;
    // keep the current layout until the wanted points are known
    if (onlyPending.value) return;
    untracked(() => {
      clearTimeout(timer);
      if (key === "") {
        leave();
        layoutStatus.value = null;
        layoutProblem.value = null;
        layoutWaits.value = false;
        shown = "";
        none();
        last = key;
        return;
      }
      // points of another embedding must not stay visible
      if (last !== null && last !== "" && partsOf(last)[0] !== partsOf(key)[0]) none();
      const heavy = isHeavy(partsOf(key)[1].method);
      if (heavy && !finished.has(key) && rowsLaidOut.peek() > UNASKED_ROWS) {
        leave();
        layoutStatus.value = null;
        layoutProblem.value = null;
        layoutWaits.value = true;
      } else if (heavy && last !== null && sameBut(last, key)) {
        layoutWaits.value = false;
        timer = setTimeout(() => begin(key), REST_MS);
      } else begin(key);
      last = key;
    });
  });
  return () => {
    clearTimeout(timer);
    stop();
    leave();
    deliver = null;
    layoutStatus.value = null;
  };
}

/** Returns true if only parameters differ. */
function sameBut(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  const [keyA, a, , onlyA] = partsOf(one);
  const [keyB, b, , onlyB] = partsOf(other);
  return keyA === keyB && onlyA === onlyB && a.method === b.method && a.dims === b.dims;
}

// ---- by hand

/** Starts the layout again, even if it is cached. */
export function runLayout(): void {
  const key = question.peek();
  if (key === "") return;
  finished.delete(key);
  begin(key);
}

export function steer(how: "pause" | "resume" | "perturb" | "stop"): void {
  const before = layoutStatus.peek();
  if (before === null) return;
  const { id, version } = before;
  const key = question.peek();
  const mine = giveUp.signal;
  steerLayout(id, how).then(
    (status) => {
      if (mine.aborted) return;
      layoutStatus.value = status;
      // a layout that had ended is running again: poll it again
      if (!ENDED.has(before.state) || ENDED.has(status.state)) return;
      job = { key, id };
      void followed(id, key, mine, version).catch((error: unknown) => {
        layoutProblem.value = asProblem(error);
      });
    },
    (error: unknown) => {
      layoutProblem.value = asProblem(error);
    },
  );
}

/** Cancels the layout; the last shown coordinates stay. */
export function cancelRunning(): void {
  leave();
  layoutStatus.value = null;
  layoutWaits.value = true;
}

/** Returns true if the layout of this key is the one that is drawn. */
export function isShown(key: string): boolean {
  return shown === key;
}
