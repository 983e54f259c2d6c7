// The displayed graph: its data in a worker and the scene that the worker computed. The choices of the user are in the
// address (state/view.ts); this module reacts to their changes.

import { batch, computed, effect, signal } from "@preact/signals";
import { newestGate } from "../../base/newest";
import { reasonOf } from "../../state/explained";
import {
  currentGraph,
  type GraphEntry,
  type GraphHeader,
  graphHeader,
  loadGraph,
  loadGraphStats,
  sendGraph,
} from "../../state/graphs";
import * as graphsWords from "../../state/texts/graphs";
import { tell } from "../../state/toasts";
import { changeView, member, spoken } from "../../state/view";
import { type GraphDesk, openDesk } from "./graph_desk";
import type { Shown as Answered, Look, Summary } from "./model/desk";
import { unpackScene } from "./model/packed";
import type { Paint } from "./model/paint";
import { OPEN, type Scene } from "./model/scene";
import type { SceneIndex } from "./model/scene_index";
import { followSight, forgetSight, holdStill, lookAt, lookNextAt, place } from "./sight";

export type Shown = Omit<Answered, "scene" | "index" | "paint"> & {
  readonly scene: Scene;
  readonly index: SceneIndex;
  readonly paint: Paint;
};

/** A local file of the user; it is kept until the user leaves the page. */
export type Upload = { readonly name: string; readonly frame: ArrayBuffer };

export const upload = signal<Upload | null>(null);
export const uploading = signal("");

export const loading = signal(false);
/** Why the graph cannot be shown; "" if it can. */
export const failure = signal("");
export const header = signal<GraphHeader | null>(null);
export const summary = signal<Summary | null>(null);
export const shown = signal<Shown | null>(null);
/** The user waits for the worker. */
export const arranging = signal(false);

const opened = member("graphsOpen");
const closed = member("graphsClosed");
const ungrouped = member("graphsUngrouped");
const extract = member("graphsExtract");
const intoMain = member("graphsMain");
const outOfMain = member("graphsAside");
const without = member("graphsWithout");
const chosen = member("graphsNode");
const trace = member("graphsTrace");
const statsTag = member("graphsStats");

const look = computed<Look>(() => ({
  opened: opened.value,
  closed: closed.value,
  ungrouped: ungrouped.value,
  extract: extract.value,
  intoMain: intoMain.value,
  outOfMain: outOfMain.value,
  without: without.value,
  chosen: chosen.value,
  trace: trace.value,
}));

let desk: GraphDesk | null = null;
/** Number of graphs requested so far. */
let loads = 0;
const shows = newestGate();
const stats = newestGate();
const attempt = signal(0);

/** The requested graph; it is loaded again when one of these values changes. */
const wanted = computed(() => {
  const file = upload.value;
  const graph = currentGraph.value;
  if (file !== null) return { key: `file ${file.name}`, file, graph: null };
  return {
    key: graph === null ? "" : JSON.stringify([graph.run, graph.tag, graph.step, graph.wall_time]),
    file,
    graph,
  };
});
const wantedKey = computed(() => `${wanted.value.key} ${attempt.value}`);

export function retry(): void {
  attempt.value += 1;
}

/** Follows the address while the page is open; returns a function that stops this. */
export function startSession(): () => void {
  const own = openDesk();
  desk = own;
  latest = null;
  forgetSight();
  const stopSight = followSight(() => arranging.peek() || loading.peek());
  const stopLoading = effect(() => {
    void wantedKey.value;
    const { file, graph } = wanted.peek();
    if (file !== null || graph !== null) void load(own, file, graph);
  });
  const stopShowing = effect(() => {
    const now = look.value;
    if (summary.value !== null) void show(own, now);
  });
  const stopStats = effect(() => {
    const tag = statsTag.value;
    if (summary.value !== null) void loadStats(own, tag);
  });
  return () => {
    stopLoading();
    stopShowing();
    stopStats();
    stopSight();
    own.close();
    desk = null;
    batch(() => {
      summary.value = null;
      shown.value = null;
      header.value = null;
      failure.value = "";
    });
  };
}

async function load(own: GraphDesk, file: Upload | null, graph: GraphEntry | null): Promise<void> {
  loading.value = true;
  const mine = ++loads;
  const isLast = (): boolean => mine === loads && desk === own;
  const work = async (): Promise<{ head: GraphHeader; facts: Summary } | null> => {
    // a copy: a transferred buffer becomes unusable, and the user may return to this graph
    const bytes = file !== null ? file.frame.slice(0) : await loadGraph(graph?.run ?? "", graph?.tag ?? "");
    // the worker keeps the last graph it received, so an outdated response must not be sent to it
    if (!isLast()) return null;
    const head = graphHeader(bytes);
    return { head, facts: await own.ask({ type: "load", frame: bytes }) };
  };
  const answer = await work().catch(reasonOf);
  if (!isLast() || answer === null) return;
  batch(() => {
    loading.value = false;
    if (typeof answer === "string") {
      failure.value = answer;
      return;
    }
    // if the same graph was written again, the camera stays
    const before = header.value;
    if (before?.run !== answer.head.run || before.tag !== answer.head.tag || before.name !== answer.head.name) {
      forgetSight();
      shown.value = null;
      latest = null;
    }
    failure.value = "";
    header.value = answer.head;
    summary.value = { ...answer.facts };
  });
}

// the last complete response: the worker omits unchanged parts
let latest: Shown | null = null;

async function show(own: GraphDesk, look: Look): Promise<void> {
  arranging.value = true;
  const work = own.ask({ type: "show", look }).then((answer) => {
    // outdated responses are stored, too, because later ones omit the parts that they contain
    if (answer.scene !== null && answer.index !== null && answer.paint !== null) {
      latest = { ...answer, scene: unpackScene(answer.scene), index: answer.index, paint: answer.paint };
    } else if (answer.paint !== null && latest !== null) latest = { ...latest, paint: answer.paint };
    return latest === null ? "" : { ...answer, scene: latest.scene, index: latest.index, paint: latest.paint };
  });
  const { newest, answer } = await shows(work.catch(reasonOf));
  if (!newest || desk !== own || answer === "") return;
  batch(() => {
    arranging.value = false;
    if (typeof answer === "string") {
      failure.value = answer;
      return;
    }
    shown.value = answer;
    place(answer.scene, answer.chosenBox);
  });
}

let measured = false;

async function loadStats(own: GraphDesk, tag: string): Promise<void> {
  if (tag === "" && !measured) return;
  measured = tag !== "";
  const graph = header.peek();
  const work = async (): Promise<ArrayBuffer | null> =>
    tag === "" || graph === null ? null : await loadGraphStats(graph, tag);
  const { newest, answer } = await stats(work().catch(reasonOf));
  if (!newest || desk !== own) return;
  const frame = typeof answer === "string" ? null : answer;
  const refused = await own.ask({ type: "stats", frame }).then(() => null, reasonOf);
  const reason = typeof answer === "string" ? answer : refused;
  if (reason !== null) tell(spoken(graphsWords).statsFailed(tag, reason), { kind: "error" });
  if (desk === own) void show(own, look.peek());
}

// ---- actions of the user

export function choose(path: string): void {
  changeView({ graphsNode: path }, { apart: true });
}

export function setOpen(path: string, open: boolean): void {
  holdStill(path);
  const less = (list: readonly string[]): readonly string[] => list.filter((one) => one !== path);
  changeView(
    open
      ? { graphsOpen: [...less(opened.peek()), path], graphsClosed: less(closed.peek()) }
      : { graphsOpen: less(opened.peek()), graphsClosed: [...less(closed.peek()), path] },
    { apart: true },
  );
}

/** Opens all groups around a node, selects it and moves the camera to it. Returns false if there is no such node. */
export async function goTo(path: string): Promise<boolean> {
  const above = (await desk?.ask({ type: "reveal", path }).catch(() => null)) ?? null;
  if (above === null) return false;
  lookNextAt(path);
  const scene = shown.peek()?.scene;
  const isOpen = (one: string): boolean => ((scene?.flags[scene.path.indexOf(one)] ?? 0) & OPEN) !== 0;
  const missing = above.filter((one) => !isOpen(one));
  changeView(
    {
      graphsNode: path,
      graphsOpen: [...opened.peek().filter((one) => !missing.includes(one)), ...missing],
      graphsClosed: closed.peek().filter((one) => !above.includes(one)),
    },
    { apart: true },
  );
  // it is already selected and visible: no response will move the camera
  const now = shown.peek();
  if (now !== null && now.facts?.path === path && missing.length === 0) {
    lookAt(now.scene, now.chosenBox);
    lookNextAt("");
  }
  return true;
}

export async function find(text: string) {
  return (await desk?.ask({ type: "search", text }).catch(() => null)) ?? null;
}

/** Opens the graph in a local file; throws the error of the server. */
export async function openFile(file: File): Promise<void> {
  uploading.value = file.name;
  try {
    const bytes = await sendGraph(file);
    batch(() => {
      upload.value = { name: file.name, frame: bytes };
      changeView({
        graphsOpen: [],
        graphsClosed: [],
        graphsNode: "",
        graphsMain: [],
        graphsAside: [],
        graphsUngrouped: [],
        graphsStats: "",
        graphsWithout: [],
        graphsCamera: null,
      });
    });
  } finally {
    uploading.value = "";
  }
}
