// Edges at each level of the tree: the group whose children an edge connects, the items beyond the border of a group,
// and the children with so many neighbors that they are extracted into a side column ("aside").

import { bucketAt, bucketsOf } from "./buckets";
import { CONST, SUMMARY } from "./columns";
import { type Hierarchy, LEAF, LIBRARY } from "./hierarchy";

export type Links = {
  readonly hierarchy: Hierarchy;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Edges between different children of a group. */
  readonly within: (group: number) => Int32Array;
  /** Edges that start at a node; `columns` has those that end at a node. */
  readonly outOf: (leaf: number) => Int32Array;
  /** Edges that cross the border of an item, inward and outward. */
  readonly into: (item: number) => Int32Array;
  readonly away: (item: number) => Int32Array;
};

export function buildLinks(hierarchy: Hierarchy): Links {
  const { from, to, meeting } = edgesOf(hierarchy);
  const byGroup = bucketsOf(meeting, hierarchy.size);
  const bySource = bucketsOf(from, hierarchy.leaves);
  const links = {
    hierarchy,
    from,
    to,
    within: (group: number) => bucketAt(byGroup, group),
    outOf: (leaf: number) => bucketAt(bySource, leaf),
  };
  const kept = new Map<number, Int32Array>();
  const crossing = (item: number, inwards: boolean): Int32Array => {
    const key = inwards ? item : ~item;
    const known = kept.get(key) ?? (inwards ? edgesInto(links, item) : edgesAway(links, item));
    kept.set(key, known);
    return known;
  };
  return { ...links, into: (item) => crossing(item, true), away: (item) => crossing(item, false) };
}

/** Returns the ends of all edges, and the deepest group that contains both; for a self-loop this is the node. */
function edgesOf({
  columns,
  leaves,
  parent,
  depth,
}: Hierarchy): Readonly<Record<"from" | "to" | "meeting", Int32Array>> {
  const { edgeAt, edgeFrom } = columns;
  const count = edgeAt[leaves] ?? 0;
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const meeting = new Int32Array(count);
  for (let i = 0; i < leaves; i++) {
    for (let e = edgeAt[i] ?? 0; e < (edgeAt[i + 1] ?? 0); e++) {
      const source = edgeFrom[e] ?? 0;
      from[e] = source;
      to[e] = i;
      let [a, b] = [source, i];
      while ((depth[a] ?? 0) > (depth[b] ?? 0)) a = parent[a] ?? -1;
      while ((depth[b] ?? 0) > (depth[a] ?? 0)) b = parent[b] ?? -1;
      while (a !== b) {
        a = parent[a] ?? -1;
        b = parent[b] ?? -1;
      }
      meeting[e] = a;
    }
  }
  return { from, to, meeting };
}

type Ends = Pick<Links, "hierarchy" | "from" | "to" | "outOf">;

function edgesInto({ hierarchy, from }: Ends, item: number): Int32Array {
  const { edgeAt } = hierarchy.columns;
  const edges: number[] = [];
  for (let p = hierarchy.low[item] ?? 0; p < (hierarchy.high[item] ?? 0); p++) {
    const leaf = hierarchy.byPlace[p] ?? 0;
    for (let e = edgeAt[leaf] ?? 0; e < (edgeAt[leaf + 1] ?? 0); e++) {
      if (!hierarchy.contains(item, from[e] ?? 0)) edges.push(e);
    }
  }
  return Int32Array.from(edges);
}

function edgesAway({ hierarchy, to, outOf }: Ends, item: number): Int32Array {
  const edges: number[] = [];
  for (let p = hierarchy.low[item] ?? 0; p < (hierarchy.high[item] ?? 0); p++) {
    for (const e of outOf(hierarchy.byPlace[p] ?? 0)) if (!hierarchy.contains(item, to[e] ?? 0)) edges.push(e);
  }
  return Int32Array.from(edges);
}

/** Returns the child of a group that contains an item; -1 if the item is not in the group. */
export function childToward({ parent, depth }: Hierarchy, group: number, item: number): number {
  const level = (depth[group] ?? 0) + 1;
  let at = item;
  while ((depth[at] ?? 0) > level) at = parent[at] ?? -1;
  return parent[at] === group ? at : -1;
}

/** Returns the item that contains `leaf` and is a sibling of the group, or of its nearest possible ancestor. */
export function beyond(hierarchy: Hierarchy, group: number, leaf: number): number {
  const { parent, depth } = hierarchy;
  let around = parent[group] ?? -1;
  while (around >= 0 && !hierarchy.contains(around, leaf)) around = parent[around] ?? -1;
  const level = (depth[around] ?? -1) + 1;
  let at = leaf;
  while ((depth[at] ?? 0) > level) at = parent[at] ?? -1;
  return at;
}

// ---- extracted items

export type Roles = {
  /** Children in the column at the right. */
  readonly aside: ReadonlySet<number>;
  /** Constants, summaries and similar nodes that are drawn as a dot of the one box they belong to. */
  readonly hostOf: ReadonlyMap<number, number>;
};

export type RoleOptions = {
  readonly extract: boolean;
  /** Paths that the user moved into the main graph, or out of it. */
  readonly intoMain: ReadonlySet<string>;
  readonly outOfMain: ReadonlySet<string>;
};

// a group with fewer children is readable with any edges
const LEAST_CHILDREN = 12;
const LEAST_DEGREE = 8;

export function rolesOf(links: Links, group: number, options: RoleOptions): Roles {
  const { hierarchy } = links;
  const children = hierarchy.children(group);
  const ins = new Map<number, Set<number>>();
  const outs = new Map<number, Set<number>>();
  const note = (map: Map<number, Set<number>>, one: number, other: number): void => {
    const known = map.get(one);
    if (known === undefined) map.set(one, new Set([other]));
    else known.add(other);
  };
  for (const e of links.within(group)) {
    const a = childToward(hierarchy, group, links.from[e] ?? 0);
    const b = childToward(hierarchy, group, links.to[e] ?? 0);
    if (a === b || a < 0 || b < 0) continue;
    note(outs, a, b);
    note(ins, b, a);
  }
  const aside = new Set<number>();
  for (const child of children) {
    if (hierarchy.type[child] === LIBRARY || options.outOfMain.has(hierarchy.path[child] ?? "")) aside.add(child);
  }
  if (options.extract && children.length >= LEAST_CHILDREN) {
    const most = limitOf(
      Array.from(children, (child) => Math.max(ins.get(child)?.size ?? 0, outs.get(child)?.size ?? 0)),
    );
    for (const child of children) {
      if (options.intoMain.has(hierarchy.path[child] ?? "")) continue;
      const into = ins.get(child)?.size ?? 0;
      const out = outs.get(child)?.size ?? 0;
      // many neighbors on one side and nearly none on the other; a hub with both is part of the data flow and stays
      const hub = Math.max(into, out) > most && (Math.min(into, out) <= 1 || hierarchy.type[child] === LEAF);
      if (hub && Math.min(into, out) <= Math.max(into, out) / 8) aside.add(child);
    }
  }
  return { aside, hostOf: hostsOf(links, children, ins, outs, aside) };
}

/** Returns the limit for outliers: Tukey's outer fence (TensorBoard uses quartiles, too), at least eight neighbors. */
function limitOf(degrees: readonly number[]): number {
  const sorted = [...degrees].sort((a, b) => a - b);
  const quartile = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return Math.max(LEAST_DEGREE, quartile(0.75) + 3 * (quartile(0.75) - quartile(0.25)));
}

// up to this many inputs of one box are drawn as boxes, more as dots
const FEW_INPUTS = 3;

/** Finds nodes drawn as dots: constants and summaries of a single box, and its other private inputs if it has many. */
function hostsOf(
  links: Links,
  children: Int32Array,
  ins: ReadonlyMap<number, ReadonlySet<number>>,
  outs: ReadonlyMap<number, ReadonlySet<number>>,
  aside: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const { hierarchy } = links;
  const { kind, edgeAt } = hierarchy.columns;
  const hosts = new Map<number, number>();
  const sources = new Map<number, number[]>();
  for (const child of children) {
    if (hierarchy.type[child] !== LEAF || aside.has(child)) continue;
    const degreeIn = (edgeAt[child + 1] ?? 0) - (edgeAt[child] ?? 0);
    const degreeOut = links.outOf(child).length;
    if (degreeIn === 0 && degreeOut > 0 && outs.get(child)?.size === 1) {
      const [host = -1] = outs.get(child) ?? [];
      // other consumers may be outside of this group
      const inside = links.outOf(child).every((edge) => hierarchy.contains(host, links.to[edge] ?? 0));
      if (!inside || aside.has(host)) continue;
      if (kind[child] === CONST) hosts.set(child, host);
      else sources.set(host, [...(sources.get(host) ?? []), child]);
    }
    if (kind[child] === SUMMARY && degreeIn === 1 && degreeOut === 0) {
      const [host = -1] = ins.get(child) ?? [];
      if (hierarchy.type[host] === LEAF && !aside.has(host)) hosts.set(child, host);
    }
  }
  for (const [host, list] of sources) {
    if (list.length > FEW_INPUTS) for (const child of list) hosts.set(child, host);
  }
  // a dot cannot have dots itself
  for (const [child, host] of hosts) if (hosts.has(host)) hosts.delete(child);
  return hosts;
}
