// Graphs of the board: the list, which is updated while the page is open, and the frame, nodes and statistics of one
// graph.

import { computed, signal } from "@preact/signals";
import {
  fetchGraph,
  fetchGraphNode,
  fetchGraphStats,
  fetchGraphs,
  type GraphEntry,
  type GraphHeader,
  type GraphList,
  type GraphName,
  type GraphNode,
  uploadGraph,
} from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";
import { changeView, member } from "./view";

export type { GraphEntry, GraphHeader, GraphNode };

/** Null before the first response. */
export const graphList = signal<GraphList | null>(null);
export const graphListProblem = signal<Problem | null>(null);

const chosenRun = member("graphsRun");
const chosenTag = member("graphsTag");

/** Runs that have a graph, in the order of the list. */
export const graphRuns = computed<readonly string[]>(() => [
  ...new Set((graphList.value?.graphs ?? []).map(({ run }) => run)),
]);

/**
 * The graph that the URL names; if it does not exist, the first of its run, or the first of all. Null: there is none.
 */
export const currentGraph = computed<GraphEntry | null>(() => {
  const all = graphList.value?.graphs ?? [];
  const ofRun = all.filter(({ run }) => run === chosenRun.value);
  const exact = ofRun.find(({ tag }) => tag === chosenTag.value);
  return exact ?? firstOf(ofRun) ?? firstOf(all) ?? null;
});

// graphs of operations before graphs of layers, as in TensorBoard; the graph of the run itself before traces
const ORDER: readonly GraphEntry["source"][] = ["run_graph", "function_trace", "keras", "uploaded"];

function firstOf(graphs: readonly GraphEntry[]): GraphEntry | undefined {
  for (const source of ORDER) {
    const found = graphs.find((graph) => graph.source === source);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tags with times and memory of the shown run. */
export const statsTags = computed<readonly string[]>(() => {
  const run = currentGraph.value?.run;
  return (graphList.value?.metadata ?? []).filter((one) => one.run === run).map(({ tag }) => tag);
});

/** Opened, selected and removed nodes belong to one graph: another graph starts without them. */
export function chooseGraph({ run, tag }: Pick<GraphEntry, "run" | "tag">): void {
  changeView(
    {
      graphsRun: run,
      graphsTag: tag,
      graphsStats: "",
      graphsOpen: [],
      graphsClosed: [],
      graphsNode: "",
      graphsMain: [],
      graphsAside: [],
      graphsUngrouped: [],
      graphsWithout: [],
      graphsCamera: null,
    },
    { entry: true },
  );
}

const gate = newestGate();

async function ask(): Promise<void> {
  const { newest, answer } = await gate(fetchGraphs().catch((error: unknown) => asProblem(error)));
  if (!newest) return;
  if ("graphs" in answer) {
    graphListProblem.value = null;
    graphList.value = answer;
  } else graphListProblem.value = answer;
}

const LIVE_MS = 1000;

/** Updates the list while the page is open. Returns a function that stops. */
export function followGraphs(): () => void {
  void ask();
  const soon = coalesced(() => void ask(), LIVE_MS);
  return onChange(({ tags }) => {
    if (tags.graphs !== undefined || tags.tensors !== undefined) soon();
  });
}

export function retryGraphs(): void {
  graphListProblem.value = null;
  void ask();
}

export const loadGraph = fetchGraph;
export const loadGraphStats = fetchGraphStats;
export const sendGraph = uploadGraph;

/** Returns the header of a graph's frame without reading its arrays. */
export function graphHeader(frame: ArrayBuffer): GraphHeader {
  const length = new DataView(frame).getUint32(4, true);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(frame, 8, length))) as GraphHeader;
}

// ---- nodes

const MOST_NODES = 200;
const nodes = new Map<string, Promise<GraphNode>>();

/** Each node is requested once and cached; failed requests are repeated. */
export function graphNode(graph: GraphName, node: number): Promise<GraphNode> {
  const name = `${graph.key} ${node}`;
  const known = nodes.get(name);
  if (known !== undefined) return known;
  const asked = fetchGraphNode(graph, node);
  nodes.set(name, asked);
  asked.catch(() => nodes.delete(name));
  const [oldest] = nodes.keys();
  if (nodes.size > MOST_NODES && oldest !== undefined) nodes.delete(oldest);
  return asked;
}
