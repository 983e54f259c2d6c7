// Computes which groups are open: those open by default and those the user opened, without those the user closed.

import { ancestors, type Hierarchy, LEAF, LIBRARY } from "./hierarchy";

// number of boxes that users can read at once
const FEW = 30;
// a namespace with this share of the nodes is opened by default
const NEARLY_ALL = 0.6;

/** Returns the groups open by default: the main namespace (torch puts everything into one), or all of a small graph. */
export function firstOpen(hierarchy: Hierarchy): ReadonlySet<number> {
  const { root, type, leaves, size, low, high } = hierarchy;
  const open = new Set<number>();
  const bodies = hierarchy.columns.functions.length;
  if (size - 1 - leaves - bodies > 0 && size - bodies <= FEW) {
    // a namespace with a single node stays closed: opening it shows nothing new
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
  // drop groups inside closed ones: they are not laid out
  return new Set([...open].filter((item) => ancestors(hierarchy, item).every((above) => open.has(above))));
}
