// Plans the layout of an open group: its children (without extracted ones and dots), bundled edges between them, and
// ports where edges cross its border.

import { CONTROL, type Columns, elementsOf, REFERENCE } from "./columns";
import { beyond, childToward, type Links, type RoleOptions, type Roles, rolesOf } from "./links";

export type Bundle = {
  /** An item, or `~item` for a port to an item beyond the border. MANY: a port for several items. */
  readonly from: number;
  readonly to: number;
  count: number;
  controls: number;
  references: number;
  /** Number of elements of its largest tensor. */
  elements: number;
  /** Code of its shape; -1: unknown. */
  shape: number;
  tensors: number;
};

export type Plan = {
  readonly group: number;
  readonly shown: readonly number[];
  readonly aside: readonly number[];
  readonly dots: ReadonlyMap<number, readonly number[]>;
  readonly bundles: readonly Bundle[];
  readonly ports: Ports;
};

/** Items beyond the upper and lower border. */
export type Ports = { readonly top: readonly number[]; readonly bottom: readonly number[] };

/** Represents all items beyond a border if there are too many for separate ports. */
export const MANY = 0x3fffffff;
const MOST_PORTS = 10;

export type Planner = {
  readonly roles: (group: number) => Roles;
  readonly plan: (group: number) => Plan;
  /** Returns the port of a group for an item beyond its border. */
  readonly port: (group: number, side: keyof Ports, item: number) => number;
};

export function newPlanner(links: Links, options: RoleOptions): Planner {
  const roles = new Map<number, Roles>();
  const plans = new Map<number, Plan>();
  const rolesFor = (group: number): Roles => {
    const known = roles.get(group) ?? rolesOf(links, group, options);
    roles.set(group, known);
    return known;
  };
  const planFor = (group: number): Plan => {
    const known = plans.get(group) ?? planOf(links, group, rolesFor);
    plans.set(group, known);
    return known;
  };
  return {
    roles: rolesFor,
    plan: planFor,
    port: (group, side, item) => (planFor(group).ports[side].includes(item) ? item : MANY),
  };
}

function planOf(links: Links, group: number, roles: (group: number) => Roles): Plan {
  const { hierarchy } = links;
  const own = roles(group);
  const children = [...hierarchy.children(group)];
  const dots = new Map<number, number[]>();
  for (const [child, host] of own.hostOf) dots.set(host, [...(dots.get(host) ?? []), child]);
  const { put, all } = newBundles(hierarchy.columns);
  const laidOut = (child: number): boolean => child >= 0 && !own.aside.has(child) && !own.hostOf.has(child);
  for (const e of links.within(group)) {
    const a = childToward(hierarchy, group, links.from[e] ?? 0);
    const b = childToward(hierarchy, group, links.to[e] ?? 0);
    if (a !== b && laidOut(a) && laidOut(b)) put(a, b, e);
  }
  const ports = portsOf(links, group, roles, (side, inner, outer, e) => {
    if (!laidOut(inner)) return;
    if (side === "top") put(~outer, inner, e);
    else put(inner, ~outer, e);
  });
  return {
    group,
    shown: children.filter(laidOut),
    aside: children.filter((child) => own.aside.has(child)),
    dots,
    bundles: all(),
    ports,
  };
}

/** Merges edges between the same two ends into one bundle. */
function newBundles(columns: Columns): {
  readonly put: (from: number, to: number, edge: number) => void;
  readonly all: () => readonly Bundle[];
} {
  const bundles = new Map<number, Map<number, Bundle>>();
  // computed once per shape: thousands of edges have few shapes
  const sizes = columns.shapes.map(elementsOf);
  const bundleOf = (from: number, to: number): Bundle => {
    let list = bundles.get(from);
    if (list === undefined) {
      list = new Map();
      bundles.set(from, list);
    }
    let bundle = list.get(to);
    if (bundle === undefined) {
      bundle = { from, to, count: 0, controls: 0, references: 0, elements: 0, shape: -1, tensors: 0 };
      list.set(to, bundle);
    }
    return bundle;
  };
  const put = (from: number, to: number, edge: number): void => {
    const bundle = bundleOf(from, to);
    const flags = columns.edgeFlags[edge] ?? 0;
    bundle.count += 1;
    if ((flags & CONTROL) !== 0) bundle.controls += 1;
    else bundle.tensors += 1;
    if ((flags & REFERENCE) !== 0) bundle.references += 1;
    const shape = columns.edgeShape[edge] ?? -1;
    const elements = sizes[shape] ?? 0;
    if (shape >= 0 && (bundle.shape < 0 || elements > bundle.elements)) {
      bundle.shape = shape;
      bundle.elements = elements;
    }
  };
  return { put, all: () => [...bundles.values()].flatMap((list) => [...list.values()]) };
}

function portsOf(
  links: Links,
  group: number,
  roles: (group: number) => Roles,
  tell: (side: keyof Ports, inner: number, outer: number, edge: number) => void,
): Ports {
  const { hierarchy } = links;
  if (group === hierarchy.root) return { top: [], bottom: [] };
  const drawn = drawnBeyond(links, group, roles);
  const side = (which: keyof Ports): readonly number[] => {
    const [edges, inner, outer] =
      which === "top" ? [links.into(group), links.to, links.from] : [links.away(group), links.from, links.to];
    const crossing: { readonly edge: number; readonly inner: number; readonly outer: number }[] = [];
    const others = new Set<number>();
    for (const edge of edges) {
      const other = beyond(hierarchy, group, outer[edge] ?? 0);
      if (!drawn(other)) continue;
      others.add(other);
      crossing.push({ edge, inner: childToward(hierarchy, group, inner[edge] ?? 0), outer: other });
    }
    const many = others.size > MOST_PORTS;
    for (const one of crossing) tell(which, one.inner, many ? MANY : one.outer, one.edge);
    return many ? [MANY] : [...others];
  };
  return { top: side("top"), bottom: side("bottom") };
}

/** Returns a test for items beyond the border: edges from and to extracted items are not drawn. */
function drawnBeyond(links: Links, group: number, roles: (group: number) => Roles): (other: number) => boolean {
  const { parent } = links.hierarchy;
  const isAside = (item: number): boolean => roles(parent[item] ?? 0).aside.has(item);
  // the ancestors up to the first extracted one
  const reached = new Set<number>();
  for (let at = group; at >= 0 && at !== links.hierarchy.root && !isAside(at); at = parent[at] ?? -1) {
    reached.add(parent[at] ?? -1);
  }
  const isDot = (item: number): boolean => roles(parent[item] ?? 0).hostOf.has(item);
  return (other) => other >= 0 && reached.has(parent[other] ?? -2) && !isAside(other) && !isDot(other);
}
