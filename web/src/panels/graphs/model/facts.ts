// Facts of one item: its neighbors, its contents, its callers; and the search by name.

import { compilePattern, type Trouble } from "../../../base/pattern";
import { CONTROL, NODE_KINDS, REFERENCE } from "./columns";
import { FUNCTION, type Hierarchy, LEAF, LIBRARY_PATH } from "./hierarchy";
import type { Links } from "./links";
import { FITS } from "./tpu";

export type Neighbour = {
  readonly path: string;
  readonly op: string;
  readonly slot: number;
  readonly shape: string;
  readonly control: boolean;
  readonly reference: boolean;
};

export type Counted = { readonly name: string; readonly count: number };

export type Facts = {
  readonly path: string;
  readonly label: string;
  readonly type: number;
  readonly kind: (typeof NODE_KINDS)[number];
  /** The name in the graph; for a namespace its path. */
  readonly name: string;
  readonly op: string;
  readonly device: string;
  readonly cluster: string;
  readonly leaves: number;
  readonly namespaces: number;
  readonly inputs: readonly Neighbour[];
  readonly outputs: readonly Neighbour[];
  /** Total numbers; the lists are cut. */
  readonly inputCount: number;
  readonly outputCount: number;
  readonly ops: readonly Counted[];
  readonly devices: readonly Counted[];
  readonly tpu: TpuFacts | null;
  /** `callers`: nodes that call this function. `bodies`: functions that this node calls. */
  readonly callers: readonly string[];
  readonly bodies: readonly string[];
  /** Path of the ungrouped series that the item belongs to. */
  readonly apart: string;
  /** Index of the node in the graph; -1 for other items. */
  readonly node: number;
  readonly function: string;
};

/** Null: the operations are not from TensorFlow. */
export type TpuFacts = { readonly nodes: number; readonly fit: number; readonly unfit: readonly Counted[] };

const MOST_NEIGHBOURS = 200;
const MOST_CALLERS = 200;

export function factsOf(links: Links, item: number, tpu: Uint8Array | null = null): Facts {
  const { hierarchy } = links;
  const { columns, type, path, label, low, high } = hierarchy;
  const leaf = type[item] === LEAF;
  const into = leaf ? ownInputs(links, item) : links.into(item);
  const away = leaf ? links.outOf(item) : links.away(item);
  const tell = (edge: number, other: number): Neighbour => ({
    path: path[other] ?? "",
    op: columns.ops[columns.op[other] ?? -1] ?? "",
    slot: columns.edgeSlot[edge] ?? 0,
    shape: columns.shapes[columns.edgeShape[edge] ?? -1] ?? "",
    control: ((columns.edgeFlags[edge] ?? 0) & CONTROL) !== 0,
    reference: ((columns.edgeFlags[edge] ?? 0) & REFERENCE) !== 0,
  });
  const called = leaf ? (columns.calls.get(item) ?? []) : [];
  const owner = leaf ? (columns.function[item] ?? -1) : -1;
  return {
    path: path[item] ?? "",
    label: label[item] ?? "",
    type: type[item] ?? 0,
    kind: NODE_KINDS[columns.kind[item] ?? 0] ?? "op",
    name: leaf ? (columns.names[item] ?? "") : (path[item] ?? ""),
    op: leaf ? (columns.ops[columns.op[item] ?? -1] ?? "") : "",
    device: leaf ? (columns.devices[columns.device[item] ?? -1] ?? "") : "",
    cluster: leaf ? (columns.clusters[columns.cluster[item] ?? -1] ?? "") : "",
    leaves: (high[item] ?? 0) - (low[item] ?? 0),
    namespaces: countSpaces(hierarchy, item),
    inputs: Array.from(into.subarray(0, MOST_NEIGHBOURS), (edge) => tell(edge, links.from[edge] ?? 0)),
    outputs: Array.from(away.subarray(0, MOST_NEIGHBOURS), (edge) => tell(edge, links.to[edge] ?? 0)),
    inputCount: into.length,
    outputCount: away.length,
    ops: leaf ? [] : counted(hierarchy, item, columns.op, columns.ops),
    devices: leaf ? [] : counted(hierarchy, item, columns.device, columns.devices),
    tpu: tpuFacts(hierarchy, item, tpu),
    callers: type[item] === FUNCTION ? callersOf(hierarchy, item) : [],
    bodies: called.map((one) => `${LIBRARY_PATH}/${columns.functions[one]?.name ?? ""}`),
    apart: hierarchy.apart.get(item) ?? "",
    node: leaf ? item : -1,
    function: columns.functions[owner]?.name ?? "",
  };
}

function ownInputs({ hierarchy }: Links, leaf: number): Int32Array {
  const { edgeAt } = hierarchy.columns;
  const [from, to] = [edgeAt[leaf] ?? 0, edgeAt[leaf + 1] ?? 0];
  return Int32Array.from({ length: to - from }, (_, i) => from + i);
}

function countSpaces(hierarchy: Hierarchy, item: number): number {
  let count = 0;
  const stack = [item];
  while (stack.length > 0) {
    const at = stack.pop() ?? 0;
    if (hierarchy.type[at] === LEAF) continue;
    if (at !== item) count += 1;
    for (const child of hierarchy.children(at)) if (child >= hierarchy.leaves) stack.push(child);
  }
  return count;
}

/** Counts values, most frequent first. */
export function counted(
  { low, high, byPlace }: Hierarchy,
  item: number,
  codes: ArrayLike<number>,
  names: readonly string[],
): readonly Counted[] {
  const counts = new Map<number, number>();
  for (let p = low[item] ?? 0; p < (high[item] ?? 0); p++) {
    const code = codes[byPlace[p] ?? 0] ?? -1;
    if (code >= 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .map(([code, count]) => ({ name: names[code] ?? "", count }))
    .filter(({ name }) => name !== "")
    .sort((a, b) => b.count - a.count);
}

/** Returns how many nodes a TPU can run, and the operations it cannot run, most frequent first. */
export function tpuFacts(hierarchy: Hierarchy, item: number, codes: Uint8Array | null): TpuFacts | null {
  if (codes === null) return null;
  const { op, ops } = hierarchy.columns;
  const own = Int32Array.from(codes, (code, leaf) => (code === FITS ? -1 : (op[leaf] ?? -1)));
  const unfit = counted(hierarchy, item, own, ops);
  const nodes = (hierarchy.high[item] ?? 0) - (hierarchy.low[item] ?? 0);
  return { nodes, fit: nodes - unfit.reduce((sum, { count }) => sum + count, 0), unfit };
}

function callersOf(hierarchy: Hierarchy, item: number): readonly string[] {
  const { columns, path, label } = hierarchy;
  const called = columns.functions.findIndex(({ name }) => name === label[item]);
  const callers: string[] = [];
  for (const [node, functions] of columns.calls) {
    if (functions.includes(called) && callers.length < MOST_CALLERS) callers.push(path[node] ?? "");
  }
  return callers;
}

// ---- search

export type Found = {
  readonly total: number;
  readonly hits: readonly { readonly path: string; readonly op: string; readonly type: number }[];
  readonly trouble: Trouble | null;
};

const MOST_HITS = 400;

/** Searches names of nodes and namespaces, or operations with `op:MatMul`. Namespaces are first, as there are few. */
export function search(hierarchy: Hierarchy, text: string): Found {
  const byOp = /^op:/i.test(text);
  const pattern = compilePattern(byOp ? text.slice(3).trim() : text);
  if (typeof pattern === "string") return { total: 0, hits: [], trouble: pattern };
  const { columns, path, type, leaves, size } = hierarchy;
  const hits: { path: string; op: string; type: number }[] = [];
  let total = 0;
  const opMatches = columns.ops.map((op) => byOp && pattern.test(op));
  const look = (item: number): void => {
    const op = item < leaves ? (columns.op[item] ?? -1) : -1;
    if (!(byOp ? (opMatches[op] ?? false) : pattern.test(path[item] ?? ""))) return;
    total += 1;
    if (hits.length < MOST_HITS) {
      hits.push({ path: path[item] ?? "", op: columns.ops[op] ?? "", type: type[item] ?? 0 });
    }
  };
  // match only the last part of a namespace: otherwise all namespaces below a match would match, too
  for (let item = leaves; item < size; item++) {
    if (item === hierarchy.root || byOp) continue;
    if (pattern.test(hierarchy.label[item] ?? "")) look(item);
  }
  for (let item = 0; item < leaves; item++) look(item);
  return { total, hits, trouble: null };
}
