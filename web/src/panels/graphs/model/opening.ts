// Which groups are open: those that the rule opens at first and those that the reader opened, less those that he closed.

import { ancestors, type Hierarchy, LEAF, LIBRARY } from "./hierarchy";

// as many boxes as can be read at once
const FEW = 30;
// a namespace with this share of a graph is the graph
const NEARLY_ALL = 0.6;

/** A graph that is one namespace, as those of torch are, shows its insides; a small one shows everything. */
export function firstOpen(hierarchy: Hierarchy): ReadonlySet<number> {
  const { root, type, leaves, size, low, high } = hierarchy;
  const open = new Set<number>();
  const bodies = hierarchy.columns.functions.length;
  if (size - 1 - leaves - bodies > 0 && size - bodies <= FEW) {
    // one node alone says no more than its namespace does
    const alone = (item: number): boolean => {
      const [first, ...more] = hierarchy.children(item);
      return more.length === 0 && first !== undefined && type[first] === LEAF;
    };
    for (let item = leaves; item < size; item++) {
      if (item !== root && type[item] !== LIBRARY && !alone(item)) open.add(item);
    }
    return open;
  }
  let group = root;
  let shown = hierarchy.children(root).length;
  for (;;) {
    const main = [...hierarchy.children(group)].filter((child) => type[child] !== LIBRARY);
    const all = main.reduce((sum, child) => sum + (high[child] ?? 0) - (low[child] ?? 0), 0);
    const heavy = main.find((child) => (high[child] ?? 0) - (low[child] ?? 0) >= NEARLY_ALL * all);
    if (heavy === undefined || type[heavy] === LEAF) return open;
    const inside = hierarchy.children(heavy).length;
    if (shown + inside > 2 * FEW && open.size > 0) return open;
    if (shown + inside > 8 * FEW) return open;
    open.add(heavy);
    shown += inside;
    group = heavy;
  }
}

export function openItems(
  hierarchy: Hierarchy,
  opened: readonly string[],
  closed: readonly string[],
): ReadonlySet<number> {
  const open = new Set(firstOpen(hierarchy));
  for (const path of opened) {
    const item = hierarchy.itemOf(path);
    if (item >= hierarchy.leaves) open.add(item);
  }
  for (const path of closed) open.delete(hierarchy.itemOf(path));
  // groups that cannot be seen are not laid out
  return new Set([...open].filter((item) => ancestors(hierarchy, item).every((above) => open.has(above))));
}
