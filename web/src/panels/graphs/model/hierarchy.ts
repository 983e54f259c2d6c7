// Builds a tree from names: `a/b/c` is c in namespace b of namespace a. Nodes keep their indices 0 … n - 1; namespaces,
// series of numbered siblings, the bodies of library functions and the root have the indices after them. Everything is
// in flat columns, because a graph may have a hundred thousand nodes.

import { type Buckets, bucketAt, bucketsOf } from "./buckets";
import type { Columns } from "./columns";

export const [LEAF, NAMESPACE, SERIES, FUNCTION, LIBRARY, ROOT] = [0, 1, 2, 3, 4, 5] as const;

/** Name of the function library in paths, the same as in TensorBoard. */
export const LIBRARY_PATH = "__function_library__";
/** Minimum number of similar items in a series, as in TensorBoard. */
export const SERIES_LEAST = 5;

export type Hierarchy = {
  readonly columns: Columns;
  readonly leaves: number;
  readonly size: number;
  readonly root: number;
  /** -1 for the root. */
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly type: Uint8Array;
  /** The last part of the name. */
  readonly label: readonly string[];
  /** Permanent id of an item, used in addresses and after the graph is loaded again. */
  readonly path: readonly string[];
  readonly children: (item: number) => Int32Array;
  /** The nodes of an item are those whose `place` is in [low, high). */
  readonly place: Int32Array;
  readonly low: Int32Array;
  readonly high: Int32Array;
  readonly byPlace: Int32Array;
  /** Hash of the structure: items with equal contents have the same number, whatever their names. */
  readonly shape: Uint32Array;
  /** For items of series that the user ungrouped: the path of the series. */
  readonly apart: ReadonlyMap<number, string>;
  readonly itemOf: (path: string) => number;
  readonly contains: (item: number, leaf: number) => boolean;
};

type Growing = {
  readonly parent: number[];
  readonly type: number[];
  readonly label: string[];
  readonly path: string[];
};

export function buildHierarchy(columns: Columns, ungrouped: ReadonlySet<string> = new Set()): Hierarchy {
  const n = columns.names.length;
  const grown: Growing = {
    parent: new Array<number>(n).fill(-1),
    type: new Array<number>(n).fill(LEAF),
    label: new Array<string>(n).fill(""),
    path: new Array<string>(n).fill(""),
  };
  const root = add(grown, -1, ROOT, "", "");
  const functionRoots = addFunctions(grown, root, columns);
  addNamespaces(grown, root, functionRoots, columns);
  const shape = shapesOf(grown, columns);
  const apart = addSeries(grown, root, shape, ungrouped);
  return finish(grown, root, columns, shape, apart);
}

function add(grown: Growing, parent: number, type: number, label: string, path: string): number {
  grown.parent.push(parent);
  grown.type.push(type);
  grown.label.push(label);
  grown.path.push(path);
  return grown.parent.length - 1;
}

function addFunctions(grown: Growing, root: number, columns: Columns): readonly number[] {
  if (columns.functions.length === 0) return [];
  const library = add(grown, root, LIBRARY, LIBRARY_PATH, LIBRARY_PATH);
  return columns.functions.map(({ name }) => add(grown, library, FUNCTION, name, `${LIBRARY_PATH}/${name}`));
}

function addNamespaces(grown: Growing, root: number, functionRoots: readonly number[], columns: Columns): void {
  const n = columns.names.length;
  const spaces: Spaces = new Map();
  const bases = new Int32Array(n);
  // names are mostly sorted, so cache the namespace of the last one
  let last = { prefix: "", group: root, base: -2 };
  for (let i = 0; i < n; i++) {
    const name = columns.names[i] ?? "";
    const owner = columns.function[i] ?? -1;
    const base = functionRoots[owner] ?? root;
    bases[i] = base;
    const end = name.lastIndexOf("/");
    const prefix = end < 0 ? "" : name.slice(0, end);
    if (base !== last.base || prefix !== last.prefix) {
      last = { prefix, group: spaceOf(grown, spaces, base, prefix), base };
    }
    grown.parent[i] = last.group;
    grown.label[i] = name.slice(end + 1) || name || "?";
    grown.path[i] = base === root ? name : `${grown.path[base] ?? ""}/${name}`;
  }
  // a node with the same name as a namespace becomes its first child, as in TensorBoard
  for (let i = 0; i < n; i++) {
    const space = spaces.get(bases[i] ?? 0)?.get(columns.names[i] ?? "");
    if (space === undefined) continue;
    grown.parent[i] = space;
    grown.label[i] = `(${grown.label[i] ?? ""})`;
    grown.path[i] = `${grown.path[i] ?? ""}/${grown.label[i] ?? ""}`;
  }
}

/** Namespaces by path prefix, for the graph and for each function. */
type Spaces = Map<number, Map<string, number>>;

/** Returns the namespace of a prefix. Not recursive, because a name may have ten thousand slashes. */
function spaceOf(grown: Growing, spaces: Spaces, base: number, prefix: string): number {
  let own = spaces.get(base);
  if (own === undefined) {
    own = new Map();
    spaces.set(base, own);
  }
  let end = prefix.length;
  let space: number | undefined;
  // find the longest prefix that already exists
  for (; end > 0; end = Math.max(0, prefix.lastIndexOf("/", end - 1))) {
    space = own.get(prefix.slice(0, end));
    if (space !== undefined) break;
  }
  space ??= base;
  const above = grown.type[base] === ROOT ? "" : `${grown.path[base] ?? ""}/`;
  for (let start = end === 0 ? 0 : end + 1; start < prefix.length; start = end + 1) {
    const next = prefix.indexOf("/", start);
    end = next < 0 ? prefix.length : next;
    const label = prefix.slice(start, end);
    const path = prefix.slice(0, end);
    // empty parts (`a//b`, the leading slash of ONNX) create no namespace
    if (label !== "") space = add(grown, space, NAMESPACE, label, `${above}${path}`);
    if (path !== "") own.set(path, space);
  }
  return space;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Hashes the children independent of their order. Parents precede their children, so one backward pass is enough. */
function shapesOf(grown: Growing, { op, kind }: Columns): number[] {
  const size = grown.parent.length;
  const shape = new Array<number>(size).fill(0);
  const n = op.length;
  const give = (i: number): void => {
    const parent = grown.parent[i] ?? -1;
    if (parent >= 0) shape[parent] = ((shape[parent] ?? 0) + mix((shape[i] ?? 0) + 0x9e3779b9)) >>> 0;
  };
  for (let i = 0; i < n; i++) {
    shape[i] = mix((op[i] ?? -1) * 8 + (kind[i] ?? 0) + 1);
    give(i);
  }
  for (let i = size - 1; i >= n; i--) {
    shape[i] = mix((shape[i] ?? 0) ^ 0x5bd1e995);
    give(i);
  }
  return shape;
}

// a separate number at the end: layer_3, block.3, Conv2d[3], 3
const NUMBERED = /^(.*[_.[\-: ])?(\d+)(\]?)$/s;

function endsInNumber(label: string): boolean {
  const last = label.charCodeAt(label.length - 1);
  const digit = last === 93 /* ] */ ? label.charCodeAt(label.length - 2) : last;
  return digit >= 48 && digit <= 57;
}

/** Groups items that differ only in a number into series. Returns the items of ungrouped series, with its path. */
function addSeries(
  grown: Growing,
  root: number,
  shape: number[],
  ungrouped: ReadonlySet<string>,
): ReadonlyMap<number, string> {
  const apart = new Map<number, string>();
  const used = new Set<string>();
  for (const [key, list] of seriesMembers(grown, root, shape)) {
    if (list.length < SERIES_LEAST) continue;
    const [one = 0] = list;
    const parent = grown.parent[one] ?? root;
    const pattern = key.slice(key.indexOf(" ", key.indexOf(" ") + 1) + 1);
    const above = grown.path[parent] ?? "";
    let path = above === "" ? pattern : `${above}/${pattern}`;
    // the same name pattern with another structure is a second series
    for (let n = 2; used.has(path); n++) path = above === "" ? `${pattern}~${n}` : `${above}/${pattern}~${n}`;
    used.add(path);
    if (ungrouped.has(path)) {
      for (const i of list) apart.set(i, path);
      continue;
    }
    // the series becomes the parent of its items
    const series = add(grown, parent, SERIES, rangeOf(grown, list, pattern), path);
    shape[series] = mix((shape[one] ?? 0) ^ 0x27d4eb2f);
    for (const i of list) grown.parent[i] = series;
  }
  return apart;
}

/** Returns items with the same parent and structure whose names differ in a number, by "parent structure pattern". */
function seriesMembers(grown: Growing, root: number, shape: readonly number[]): ReadonlyMap<string, readonly number[]> {
  const size = grown.parent.length;
  const members = new Map<string, number[]>();
  // parents with a series, whose first item may have no number (`layer`, `layer_1`, …)
  const parents = new Set<number>();
  for (let i = 0; i < size; i++) {
    if (i === root || (grown.type[i] ?? 0) > NAMESPACE || !endsInNumber(grown.label[i] ?? "")) continue;
    const match = NUMBERED.exec(grown.label[i] ?? "");
    if (match === null) continue;
    const key = `${grown.parent[i]} ${shape[i]} ${match[1] ?? ""}*${match[3] ?? ""}`;
    const list = members.get(key);
    if (list === undefined) members.set(key, [i]);
    else list.push(i);
    if (list?.length === SERIES_LEAST - 1) parents.add(grown.parent[i] ?? root);
  }
  const unnumbered = new Map<string, number>();
  for (let i = 0; i < size; i++) {
    if ((grown.type[i] ?? 0) > NAMESPACE || !parents.has(grown.parent[i] ?? -1)) continue;
    const key = `${grown.parent[i]} ${shape[i]} ${grown.label[i] ?? ""}_*`;
    if (members.has(key)) unnumbered.set(key, i);
  }
  for (const [key, first] of unnumbered) {
    const list = members.get(key);
    if (list !== undefined && !list.includes(first)) list.unshift(first);
  }
  return members;
}

/** Returns the label of a series: `layer_0…23` for `layer_*`. */
function rangeOf(grown: Growing, list: readonly number[], pattern: string): string {
  let [least, most] = ["", ""];
  for (const i of list) {
    const number = NUMBERED.exec(grown.label[i] ?? "")?.[2] ?? "";
    if (number === "") continue;
    if (least === "" || Number(number) < Number(least)) least = number;
    if (most === "" || Number(number) > Number(most)) most = number;
  }
  return pattern.replace("*", () => `${least}…${most}`);
}

function finish(
  grown: Growing,
  root: number,
  columns: Columns,
  shape: readonly number[],
  apart: ReadonlyMap<number, string>,
): Hierarchy {
  const leaves = columns.names.length;
  const size = grown.parent.length;
  const parent = Int32Array.from(grown.parent);
  const byParent = bucketsOf(parent, size);
  const { depth, place, byPlace, low, high } = placesOf(parent, byParent, root, leaves);
  let items: Map<string, number> | null = null;
  return {
    columns,
    leaves,
    size,
    root,
    parent,
    depth,
    type: Uint8Array.from(grown.type),
    label: grown.label,
    path: grown.path,
    children: (item) => bucketAt(byParent, item),
    place,
    low,
    high,
    byPlace,
    shape: Uint32Array.from(shape),
    apart,
    itemOf: (path) => {
      items ??= new Map(grown.path.map((one, i) => [one, i]));
      return items.get(path) ?? -1;
    },
    contains: (item, leaf) => {
      const at = place[leaf] ?? -1;
      return at >= (low[item] ?? 0) && at < (high[item] ?? 0);
    },
  };
}

type Places = Pick<Hierarchy, "depth" | "place" | "byPlace" | "low" | "high">;

/** Numbers the leaves in tree order, so that those of an item are consecutive: [low, high). */
function placesOf(parent: Int32Array, { start, list }: Buckets, root: number, leaves: number): Places {
  const size = parent.length;
  const depth = new Int32Array(size);
  const place = new Int32Array(leaves);
  const byPlace = new Int32Array(leaves);
  const low = new Int32Array(size);
  const high = new Int32Array(size);
  let next = 0;
  const stack: number[] = [root];
  while (stack.length > 0) {
    const item = stack.pop() ?? 0;
    // a negative entry marks the end of an item: all its leaves are numbered
    if (item < 0) {
      high[~item] = next;
      continue;
    }
    low[item] = next;
    depth[item] = (depth[parent[item] ?? -1] ?? -1) + 1;
    if (item < leaves) {
      place[item] = next;
      byPlace[next++] = item;
      high[item] = next;
      continue;
    }
    stack.push(~item);
    for (let k = (start[item + 1] ?? 0) - 1; k >= (start[item] ?? 0); k--) stack.push(list[k] ?? 0);
  }
  return { depth, place, byPlace, low, high };
}

/** Returns the ancestors of an item, without the root. */
export function ancestors({ parent, root }: Hierarchy, item: number): readonly number[] {
  const above: number[] = [];
  for (let at = parent[item] ?? -1; at >= 0 && at !== root; at = parent[at] ?? -1) above.push(at);
  return above;
}
