// What the worker does, without the worker: holds one graph and answers questions about it. Hierarchy, plans and layouts are
// kept as long as what they depend on stays the same.

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

/** How the graph is looked at; all of it is in the address. */
export type Look = {
  readonly opened: readonly string[];
  readonly closed: readonly string[];
  readonly ungrouped: readonly string[];
  readonly extract: boolean;
  readonly intoMain: readonly string[];
  readonly outOfMain: readonly string[];
  /** Devices whose times and memory do not count. */
  readonly without: readonly string[];
  /** Path of the chosen item; "" for none. */
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
  /** Null: the same as in the last answer. */
  readonly scene: PackedScene | null;
  readonly index: SceneIndex | null;
  readonly paint: Paint | null;
  /** Of what is chosen; null when nothing is, or nothing of that name exists. */
  readonly focus: Focus | null;
  /** The box that stands for what is chosen, -1 if there is none. */
  readonly chosenBox: number;
  readonly chosenDot: number;
  readonly facts: Facts | null;
  /** Of the whole graph. */
  readonly tpu: TpuFacts | null;
  readonly measured: Measured | null;
  /** Devices that times are known of. */
  readonly statDevices: readonly string[];
  /** Nodes of the statistics that the graph has. */
  readonly statNodes: number;
};

export type Measured = { readonly micros: number; readonly bytes: number };

export type Question =
  | { readonly type: "load"; readonly frame: ArrayBuffer }
  | { readonly type: "stats"; readonly frame: ArrayBuffer | null }
  | { readonly type: "show"; readonly look: Look }
  | { readonly type: "search"; readonly text: string }
  /** Which groups to open so that an item can be seen. */
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

export function newDesk(): Desk {
  let columns: Columns | null = null;
  let stats: Stats | null = null;
  let statsNumber = 0;
  let graph: { readonly key: string; readonly of: Graph } | null = null;
  let plans: { readonly key: string; readonly maker: SceneMaker } | null = null;
  // what the page has got already
  let last: { readonly key: string; readonly made: Made } | null = null;
  let painted = "";

  function graphFor(look: Pick<Look, "ungrouped">): Graph {
    const key = JSON.stringify(look.ungrouped);
    if (graph?.key === key) return graph.of;
    const hierarchy = buildHierarchy(columns ?? EMPTY, new Set(look.ungrouped));
    const links = buildLinks(hierarchy);
    graph = { key, of: { hierarchy, links, painter: newPainter(hierarchy), tpu: tpuCodes(hierarchy.columns) } };
    plans = null;
    last = null;
    return graph.of;
  }

  function makerFor(links: Links, look: Look): SceneMaker {
    const key = JSON.stringify([look.extract, look.intoMain, look.outOfMain]);
    if (plans?.key === key) return plans.maker;
    const planner = newPlanner(links, {
      extract: look.extract,
      intoMain: new Set(look.intoMain),
      outOfMain: new Set(look.outOfMain),
    });
    plans = { key, maker: newSceneMaker(links, planner) };
    last = null;
    return plans.maker;
  }

  function show(look: Look): Shown {
    const { hierarchy, links, painter, tpu } = graphFor(look);
    const maker = makerFor(links, look);
    const open = openItems(hierarchy, look.opened, look.closed);
    const key = [...open].join();
    const known = last?.key === key;
    const made = last !== null && known ? last.made : maker.make(open);
    last = { key, made };
    const paintKey = JSON.stringify([statsNumber, look.without]);
    const repaint = !known || paintKey !== painted;
    painted = paintKey;
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

  return {
    answer(question) {
      switch (question.type) {
        case "load":
          columns = columnsOf(question.frame);
          graph = null;
          stats = null;
          return summaryOf(columns);
        case "stats":
          statsNumber += 1;
          stats = question.frame === null ? null : statsOf(question.frame, columns ?? EMPTY);
          return null;
        case "show":
          return show(question.look);
        case "search":
          return search(
            graphFor(graph === null ? { ungrouped: [] } : { ungrouped: JSON.parse(graph.key) }).hierarchy,
            question.text,
          );
        case "reveal": {
          const { hierarchy } = graphFor(graph === null ? { ungrouped: [] } : { ungrouped: JSON.parse(graph.key) });
          const item = hierarchy.itemOf(question.path);
          if (item < 0) return null;
          return ancestors(hierarchy, item).map((above) => hierarchy.path[above] ?? "");
        }
      }
    },
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

/** Its own, or of the closed group around it. */
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
