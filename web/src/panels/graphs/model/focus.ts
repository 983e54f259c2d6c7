// Finds the boxes and lines to highlight for a selected item: its edges, or everything that it depends on.

import { childToward, type Links } from "./links";
import { MANY } from "./plan";
import { lineKey, type Made } from "./scene";

export type Focus = {
  readonly linesIn: Int32Array;
  readonly linesOut: Int32Array;
  /** Boxes that belong to it or contain parts of it. */
  readonly boxes: Int32Array;
  /** Number of nodes found, visible or not. */
  readonly leaves: number;
};

export function focusOn(links: Links, made: Made, item: number): Focus {
  const leaf = item < links.hierarchy.leaves;
  const { edgeAt } = links.hierarchy.columns;
  const into = leaf
    ? Array.from({ length: (edgeAt[item + 1] ?? 0) - (edgeAt[item] ?? 0) }, (_, i) => (edgeAt[item] ?? 0) + i)
    : links.into(item);
  const away = leaf ? links.outOf(item) : links.away(item);
  const boxes = new Set<number>();
  const linesIn = new Set<number>();
  const linesOut = new Set<number>();
  for (const edge of into) {
    linesOf(links, made, edge, linesIn);
    boxes.add(visible(links, made, links.from[edge] ?? 0));
  }
  for (const edge of away) {
    linesOf(links, made, edge, linesOut);
    boxes.add(visible(links, made, links.to[edge] ?? 0));
  }
  return {
    linesIn: sorted(linesIn),
    linesOut: sorted(linesOut),
    boxes: sorted(boxes),
    leaves: into.length + away.length,
  };
}

/** Follows tensors and control edges upward from all nodes of the item. */
export function traceInputs(links: Links, made: Made, item: number): Focus {
  const { hierarchy } = links;
  const { edgeAt } = hierarchy.columns;
  const seen = new Uint8Array(hierarchy.leaves);
  const stack: number[] = [];
  for (let p = hierarchy.low[item] ?? 0; p < (hierarchy.high[item] ?? 0); p++) stack.push(hierarchy.byPlace[p] ?? 0);
  for (const leaf of stack) seen[leaf] = 1;
  const lines = new Set<number>();
  const boxes = new Set<number>();
  let leaves = 0;
  while (stack.length > 0) {
    const leaf = stack.pop() ?? 0;
    leaves += 1;
    for (let at = visible(links, made, leaf); at >= 0; at = made.scene.parent[at] ?? -1) {
      if (boxes.has(at)) break;
      boxes.add(at);
    }
    for (let e = edgeAt[leaf] ?? 0; e < (edgeAt[leaf + 1] ?? 0); e++) {
      linesOf(links, made, e, lines);
      const from = links.from[e] ?? 0;
      if (seen[from] === 1) continue;
      seen[from] = 1;
      stack.push(from);
    }
  }
  return { linesIn: sorted(lines), linesOut: new Int32Array(), boxes: sorted(boxes), leaves };
}

function sorted(set: Set<number>): Int32Array {
  set.delete(-1);
  return Int32Array.from(set).sort();
}

/** Returns the box that represents a node: its own, or that of the closed namespace around it. */
export function visible({ hierarchy }: Links, { boxOf }: Made, leaf: number): number {
  for (let at = leaf; at >= 0; at = hierarchy.parent[at] ?? -1) {
    const box = boxOf.get(at);
    if (box !== undefined) return box;
  }
  return -1;
}

function linesOf(links: Links, { lineOf }: Made, edge: number, into: Set<number>): void {
  const { hierarchy } = links;
  const [from, to] = [links.from[edge] ?? 0, links.to[edge] ?? 0];
  let meeting = from;
  while (!hierarchy.contains(meeting, to)) meeting = hierarchy.parent[meeting] ?? hierarchy.root;
  if (meeting < hierarchy.leaves) return;
  const a = childToward(hierarchy, meeting, from);
  const b = childToward(hierarchy, meeting, to);
  const add = (group: number, start: number, end: number): boolean => {
    const line = lineOf.get(lineKey(group, start, end));
    if (line !== undefined) into.add(line);
    return line !== undefined;
  };
  add(meeting, a, b);
  for (let group = b; group >= hierarchy.leaves; ) {
    const next = childToward(hierarchy, group, to);
    if (!add(group, ~a, next) && !add(group, ~MANY, next)) break;
    group = next;
  }
  for (let group = a; group >= hierarchy.leaves; ) {
    const next = childToward(hierarchy, group, from);
    if (!add(group, next, ~b) && !add(group, next, ~MANY)) break;
    group = next;
  }
}
