// The logic of the worker: holds one graph and answers requests about it. Hierarchy, plans and layouts are cached until
// their inputs change.

import { type Columns, columnsOf, type GraphProblem } from "./columns";
import { type Facts, type Found, factsOf, search, type TpuFacts, tpuFacts } from "./facts";
import { type Focus, focusOn, traceInputs } from "./focus";
import { ancestors, buildHierarchy, type Hierarchy } from "./hierarchy";
import { buildLinks, type Links } from "./links";
import { openItems } from "./opening";
import { type PackedScene, packScene } from "./packed";
import { newPainter, type Paint, type Painter, type Stats } from "./paint";
import { newPlanner } from "./plan";
import { type Made, newSceneMaker, type SceneMaker } from "./scene";
import { indexScene, type SceneIndex } from "./scene_index";
import { statsOf } from "./stats";
import { tpuCodes } from "./tpu";

/** View settings of the graph; all are in the URL. */
export type Look = {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly ungrouped: readonly string[];
  readonly extract: boolean;
  readonly intoMain: readonly string[];
  readonly outOfMain: readonly string[];
  /** Devices whose times and memory are ignored. */
  readonly without: readonly string[];
  /** Path of the selected item; "" for none. */
  readonly chosen: string;
  readonly trace: boolean;
};

export type Summary = {
  readonly nodes: number;
  readonly edges: number;
  readonly functions: number;
  readonly devices: readonly string[];
  readonly clusters: readonly string[];
  readonly problems: readonly GraphProblem[];
};

export type Shown = {
  /** Null: unchanged since the last response. */
  readonly scene: PackedScene | null;
  readonly index: SceneIndex | null;
  readonly paint: Paint | null;
  /** Focus of the selected item; null if none is selected or it does not exist. */
  readonly focus: Focus | null;
  /** The box of the selected item, -1 if there is none. */
  readonly chosenBox: number;
  readonly chosenDot: number;
  readonly facts: Facts | null;
  /** TPU facts of the whole graph. */
  readonly tpu: TpuFacts | null;
  readonly measured: Measured | null;
  /** Devices with known times. */
  readonly statDevices: readonly string[];
  /** Number of nodes that have statistics. */
  readonly statNodes: number;
};

export type Measured = { readonly micros: number; readonly bytes: number };

export type Question =
  | { readonly type: "load"; readonly frame: ArrayBuffer }
  | { readonly type: "stats"; readonly frame: ArrayBuffer | null }
  | { readonly type: "show"; readonly look: Look }
  | { readonly type: "search"; readonly text: string }
  /** Returns the groups to open so that an item is visible. */
  | { readonly type: "reveal"; readonly path: string };

export type Answers = {
  readonly load: Summary;
  readonly stats: null;
  readonly show: Shown;
  readonly search: Found;
  readonly reveal: readonly string[] | null;
};

export type Desk = { readonly answer: (question: Question) => Answers[Question["type"]] };

type Graph = {
  readonly hierarchy: Hierarchy;
  readonly links: Links;
  readonly painter: Painter;
  readonly tpu: Uint8Array | null;
};

type State = {
  columns: Columns | null;
  stats: Stats | null;
  /** Incremented when stats arrive; part of the key `painted`. */
  statsNumber: number;
  graph: { readonly ungrouped: readonly string[]; readonly key: string; readonly of: Graph } | null;
  maker: { readonly key: string; readonly of: SceneMaker } | null;
  /** The last scene sent to the page. */
  last: { readonly key: string; readonly made: Made } | null;
  painted: string;
};

export function newDesk(): Desk {
  const state: State = {
    columns: null,
    stats: null,
    statsNumber: 0,
    graph: null,
    maker: null,
    last: null,
    painted: "",
  };
  return { answer: (question) => answer(state, question) };
}

function answer(state: State, question: Question): Answers[Question["type"]] {
  switch (question.type) {
    case "load":
      state.columns = columnsOf(question.frame);
      state.graph = null;
      state.stats = null;
      return summaryOf(state.columns);
    case "stats":
      state.statsNumber += 1;
      state.stats = question.frame === null ? null : statsOf(question.frame, state.columns ?? EMPTY);
      return null;
    case "show":
      return show(state, question.look);
    case "search":
      return search(graphFor(state, state.graph?.ungrouped ?? []).hierarchy, question.text);
    case "reveal": {
      const { hierarchy } = graphFor(state, state.graph?.ungrouped ?? []);
      const item = hierarchy.itemOf(question.path);
      if (item < 0) return null;
      return ancestors(hierarchy, item).map((above) => hierarchy.path[above] ?? "");
    }
  }
}

function graphFor(state: State, ungrouped: readonly string[]): Graph {
  const key = JSON.stringify(ungrouped);
  if (state.graph?.key === key) return state.graph.of;
  const hierarchy = buildHierarchy(state.columns ?? EMPTY, new Set(ungrouped));
  const links = buildLinks(hierarchy);
  const graph = { hierarchy, links, painter: newPainter(hierarchy), tpu: tpuCodes(hierarchy.columns) };
  state.graph = { ungrouped, key, of: graph };
  state.maker = null;
  state.last = null;
  return graph;
}

function makerFor(state: State, links: Links, look: Look): SceneMaker {
  const key = JSON.stringify([look.extract, look.intoMain, look.outOfMain]);
  if (state.maker?.key === key) return state.maker.of;
  const planner = newPlanner(links, {
    extract: look.extract,
    intoMain: new Set(look.intoMain),
    outOfMain: new Set(look.outOfMain),
  });
  const maker = newSceneMaker(links, planner);
  state.maker = { key, of: maker };
  state.last = null;
  return maker;
}

/** Scene and paint are null if the page already has them. */
function show(state: State, look: Look): Shown {
  const { hierarchy, links, painter, tpu } = graphFor(state, look.ungrouped);
  const maker = makerFor(state, links, look);
  const open = openItems(hierarchy, look.opened, look.closed);
  const key = [...open].join();
  const { last, stats } = state;
  const known = last?.key === key;
  const made = last !== null && known ? last.made : maker.make(open);
  state.last = { key, made };
  const paintKey = JSON.stringify([state.statsNumber, look.without]);
  const repaint = !known || paintKey !== state.painted;
  state.painted = paintKey;
  const chosen = look.chosen === "" ? -1 : hierarchy.itemOf(look.chosen);
  const exists = chosen >= 0 && chosen !== hierarchy.root;
  const without = new Set(look.without);
  return {
    scene: known ? null : packScene(made.scene),
    index: known ? null : indexScene(made.scene),
    paint: repaint ? painter(made.scene, stats, without) : null,
    focus: exists ? (look.trace ? traceInputs : focusOn)(links, made, chosen) : null,
    chosenBox: exists ? boxFor(hierarchy, made, chosen) : -1,
    chosenDot: exists ? made.scene.dotItem.indexOf(chosen) : -1,
    facts: exists ? factsOf(links, chosen, tpu) : null,
    tpu: tpuFacts(hierarchy, hierarchy.root, tpu),
    measured: exists && stats !== null ? measuredOf(hierarchy, stats, without, chosen) : null,
    statDevices: stats?.devices ?? [],
    statNodes: stats?.micros.reduce((sum, one) => sum + (Number.isNaN(one) ? 0 : 1), 0) ?? 0,
  };
}

function summaryOf({ names, edgeAt, functions, devices, clusters, problems }: Columns): Summary {
  return {
    nodes: names.length,
    edges: edgeAt[names.length] ?? 0,
    functions: functions.length,
    devices,
    clusters,
    problems,
  };
}

/** Returns the box of an item, or of the closed group that contains it. */
function boxFor(hierarchy: Hierarchy, { boxOf }: Made, item: number): number {
  for (let at = item; at >= 0; at = hierarchy.parent[at] ?? -1) {
    const box = boxOf.get(at);
    if (box !== undefined) return box;
  }
  return -1;
}

function measuredOf(hierarchy: Hierarchy, stats: Stats, without: ReadonlySet<string>, item: number): Measured {
  let [micros, bytes] = [Number.NaN, Number.NaN];
  const add = (sum: number, one: number): number => (Number.isNaN(one) ? sum : (Number.isNaN(sum) ? 0 : sum) + one);
  for (let p = hierarchy.low[item] ?? 0; p < (hierarchy.high[item] ?? 0); p++) {
    const leaf = hierarchy.byPlace[p] ?? 0;
    if (without.has(stats.devices[stats.device[leaf] ?? -1] ?? "")) continue;
    micros = add(micros, stats.micros[leaf] ?? Number.NaN);
    bytes = add(bytes, stats.bytes[leaf] ?? Number.NaN);
  }
  return { micros, bytes };
}

const EMPTY: Columns = {
  names: [],
  op: [],
  device: [],
  cluster: [],
  kind: [],
  function: [],
  calls: new Map(),
  ops: [],
  devices: [],
  clusters: [],
  shapes: [],
  functions: [],
  edgeAt: [0],
  edgeFrom: [],
  edgeSlot: [],
  edgeFlags: [],
  edgeShape: [],
  problems: [],
};
