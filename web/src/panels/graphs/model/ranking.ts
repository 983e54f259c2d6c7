// Assigns boxes to layers: each box below everything it depends on, edges short, no layer much wider than a screen; and
// creates the points that route edges through the layers between.

import type { LayoutBox, LayoutEdge } from "./layered";

/** Width of a point that routes an edge through a layer. */
export const POINT_WIDTH = 10;

export type Ranked = {
  /** Boxes first, then points of long edges. */
  readonly boxes: readonly LayoutBox[];
  readonly real: number;
  readonly rank: Int32Array;
  readonly ranks: number;
  /** Segments between adjacent layers, from upper to lower, without duplicates. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The boxes and points that each edge passes, from upper to lower. */
  readonly chains: readonly Int32Array[];
  /** 1 for edges that point upward, because they close a cycle. */
  readonly turned: Uint8Array;
};

export function rankBoxes(boxes: readonly LayoutBox[], edges: readonly LayoutEdge[], mostWidth: number): Ranked {
  const turned = backEdges(boxes.length, edges);
  const upper = edges.map(({ from, to }, i) => (turned[i] === 1 ? to : from));
  const lower = edges.map(({ from, to }, i) => (turned[i] === 1 ? from : to));
  let rank = layersOf(boxes, upper, lower);
  rank = wrapped(boxes, rank, upper, lower, mostWidth);
  return routed(boxes, rank, upper, lower, turned);
}

type Neighbours = { readonly start: Int32Array; readonly list: Int32Array };

/** Returns the other ends of the edges of each of n boxes, in CSR format. */
export function neighbours(n: number, of: ArrayLike<number>, other: ArrayLike<number>): Neighbours {
  const start = new Int32Array(n + 1);
  for (let e = 0; e < of.length; e++) start[(of[e] ?? 0) + 1] = (start[(of[e] ?? 0) + 1] ?? 0) + 1;
  for (let i = 0; i < n; i++) start[i + 1] = (start[i + 1] ?? 0) + (start[i] ?? 0);
  const at = start.slice(0, n);
  const list = new Int32Array(of.length);
  for (let e = 0; e < of.length; e++) {
    const i = of[e] ?? 0;
    list[at[i] ?? 0] = other[e] ?? 0;
    at[i] = (at[i] ?? 0) + 1;
  }
  return { start, list };
}

/** Marks back edges of a depth-first search from the sources. Ports are never on a cycle. */
function backEdges(n: number, edges: readonly LayoutEdge[]): Uint8Array {
  const out = neighbours(
    n,
    edges.map(({ from }) => from),
    edges.map((_, e) => e),
  );
  const indegree = new Int32Array(n);
  for (const { to } of edges) indegree[to] = (indegree[to] ?? 0) + 1;
  const order = Array.from({ length: n }, (_, i) => i).sort(
    (a, b) => Math.min(1, indegree[a] ?? 0) - Math.min(1, indegree[b] ?? 0) || a - b,
  );
  const state = new Uint8Array(n); // 1: on the current path, 2: done
  const next = out.start.slice(0, n);
  const turned = new Uint8Array(edges.length);
  const stack: number[] = [];
  for (const begin of order) {
    if (state[begin] !== 0) continue;
    stack.push(begin);
    state[begin] = 1;
    while (stack.length > 0) {
      const at = stack[stack.length - 1] ?? 0;
      const place = next[at] ?? 0;
      if (place >= (out.start[at + 1] ?? 0)) {
        state[at] = 2;
        stack.pop();
        continue;
      }
      next[at] = place + 1;
      const edge = out.list[place] ?? 0;
      const to = edges[edge]?.to ?? 0;
      if (state[to] === 1) turned[edge] = 1;
      else if (state[to] === 0) {
        state[to] = 1;
        stack.push(to);
      }
    }
  }
  return turned;
}

/** Assigns layers by the longest path from a source; then moves each box toward the side with more of its edges. */
function layersOf(boxes: readonly LayoutBox[], upper: readonly number[], lower: readonly number[]): Int32Array {
  const n = boxes.length;
  const down = neighbours(n, upper, lower);
  const up = neighbours(n, lower, upper);
  const order = topological(n, down, up);
  const rank = new Int32Array(n);
  const isTop = (i: number): boolean => boxes[i]?.port === "top";
  // ports on the upper border have a separate layer
  const first = boxes.some(({ port }) => port === "top") ? 1 : 0;
  for (const i of order) {
    if (isTop(i)) continue;
    let most = first;
    for (let p = up.start[i] ?? 0; p < (up.start[i + 1] ?? 0); p++) {
      most = Math.max(most, (rank[up.list[p] ?? 0] ?? 0) + 1);
    }
    rank[i] = most;
  }
  for (let round = 0; round < 4; round++) {
    for (let k = 0; k < n; k++) {
      const i = order[round % 2 === 0 ? n - 1 - k : k] ?? 0;
      if (boxes[i]?.port !== undefined) continue;
      const [low, high] = freedom(i, rank, up, down, boxes, first);
      const above = (up.start[i + 1] ?? 0) - (up.start[i] ?? 0);
      const below = (down.start[i + 1] ?? 0) - (down.start[i] ?? 0);
      if (below > above && high >= low) rank[i] = high;
      else if (above > below) rank[i] = low;
    }
  }
  const last = rank.reduce((most, one) => Math.max(most, one), 0);
  boxes.forEach(({ port }, i) => {
    if (port === "bottom") rank[i] = last + (lastIsFree(boxes, rank, last) ? 0 : 1);
  });
  return rank;
}

function lastIsFree(boxes: readonly LayoutBox[], rank: Int32Array, last: number): boolean {
  return !boxes.some(({ port }, i) => port !== "bottom" && rank[i] === last);
}

function freedom(
  i: number,
  rank: Int32Array,
  up: Neighbours,
  down: Neighbours,
  boxes: readonly LayoutBox[],
  first: number,
): readonly [number, number] {
  let low = first;
  let high = Number.MAX_SAFE_INTEGER;
  for (let p = up.start[i] ?? 0; p < (up.start[i + 1] ?? 0); p++) low = Math.max(low, (rank[up.list[p] ?? 0] ?? 0) + 1);
  for (let p = down.start[i] ?? 0; p < (down.start[i + 1] ?? 0); p++) {
    const other = down.list[p] ?? 0;
    if (boxes[other]?.port === undefined) high = Math.min(high, (rank[other] ?? 0) - 1);
  }
  return [low, high === Number.MAX_SAFE_INTEGER ? (rank[i] ?? 0) : high];
}

function topological(n: number, down: Neighbours, up: Neighbours): Int32Array {
  const order = new Int32Array(n);
  const waiting = new Int32Array(n);
  let end = 0;
  for (let i = 0; i < n; i++) {
    waiting[i] = (up.start[i + 1] ?? 0) - (up.start[i] ?? 0);
    if (waiting[i] === 0) order[end++] = i;
  }
  for (let at = 0; at < end; at++) {
    const i = order[at] ?? 0;
    for (let p = down.start[i] ?? 0; p < (down.start[i + 1] ?? 0); p++) {
      const other = down.list[p] ?? 0;
      waiting[other] = (waiting[other] ?? 0) - 1;
      if (waiting[other] === 0) order[end++] = other;
    }
  }
  return order;
}

/** Splits too wide layers; boxes that nothing depends on are placed first. */
function wrapped(
  boxes: readonly LayoutBox[],
  rank: Int32Array,
  upper: readonly number[],
  lower: readonly number[],
  mostWidth: number,
): Int32Array {
  const members: number[][] = [];
  boxes.forEach((_, i) => {
    const layer = rank[i] ?? 0;
    members[layer] ??= [];
    members[layer].push(i);
  });
  const width = (i: number): number => (boxes[i]?.width ?? 0) + 24;
  const total = members.map((layer) => layer.reduce((sum, i) => sum + width(i), 0));
  if (total.every((one) => one <= 1.5 * mostWidth)) return rank;
  // layers of large graphs may be wider; otherwise a hundred thousand boxes would become a long narrow list
  const area = boxes.reduce((sum, { width: w, height: h }) => sum + (w + 24) * (h + 34), 0);
  const room = Math.max(mostWidth, Math.sqrt(area * 1.7));
  const before = orderInLayer(boxes.length, upper, lower);
  const next = new Int32Array(boxes.length);
  let layer = 0;
  members.forEach((list, at) => {
    const fixed = list.some((i) => boxes[i]?.port !== undefined);
    const fits = fixed || (total[at] ?? 0) <= room;
    let used = 0;
    for (const i of fits ? list : [...list].sort(before)) {
      if (!fits && used > 0 && used + width(i) > room) {
        layer += 1;
        used = 0;
      }
      next[i] = layer;
      used += width(i);
    }
    layer += 1;
  });
  return next;
}

/** Orders boxes with successors last, nearest to them. Boxes with the same parent stay together. */
function orderInLayer(
  count: number,
  upper: readonly number[],
  lower: readonly number[],
): (a: number, b: number) => number {
  const heirs = new Int32Array(count);
  const first = new Int32Array(count).fill(-1);
  upper.forEach((i, e) => {
    heirs[i] = (heirs[i] ?? 0) + 1;
    first[lower[e] ?? 0] = Math.max(first[lower[e] ?? 0] ?? -1, i);
  });
  return (a, b) =>
    Math.min(1, heirs[a] ?? 0) - Math.min(1, heirs[b] ?? 0) || (first[a] ?? 0) - (first[b] ?? 0) || a - b;
}

/** Routes long edges of one source along a shared line (trunk), which each leaves at its target. */
function routed(
  boxes: readonly LayoutBox[],
  rank: Int32Array,
  upper: readonly number[],
  lower: readonly number[],
  turned: Uint8Array,
): Ranked {
  const all: LayoutBox[] = [...boxes];
  const ranks: number[] = [...rank];
  const lines = new Map<number, number[]>();
  const segments = newSegments();
  const chains = upper.map((source, e) => {
    const target = lower[e] ?? 0;
    const start = ranks[source] ?? 0;
    const end = ranks[target] ?? 0;
    // ports on top and upward edges also have their own trunk
    const line = lines.get(source) ?? [];
    lines.set(source, line);
    const chain = [source];
    for (let layer = start + 1; layer < end; layer++) {
      const place = layer - start - 1;
      let point = line[place];
      if (point === undefined) {
        point = all.length;
        line[place] = point;
        all.push({ width: POINT_WIDTH, height: 0 });
        ranks.push(layer);
      }
      segments.add(chain[chain.length - 1] ?? 0, point);
      chain.push(point);
    }
    segments.add(chain[chain.length - 1] ?? 0, target);
    chain.push(target);
    return Int32Array.from(chain);
  });
  const rankOf = Int32Array.from(ranks);
  return {
    boxes: all,
    real: boxes.length,
    rank: rankOf,
    ranks: rankOf.reduce((most, one) => Math.max(most, one), 0) + 1,
    from: Int32Array.from(segments.from),
    to: Int32Array.from(segments.to),
    chains,
    turned,
  };
}

/** Collects segments of edges between adjacent layers, without duplicates. */
function newSegments(): {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly add: (a: number, b: number) => void;
} {
  const from: number[] = [];
  const to: number[] = [];
  const known = new Set<number>();
  const add = (a: number, b: number): void => {
    const key = a * 4194304 + b;
    if (known.has(key)) return;
    known.add(key);
    from.push(a);
    to.push(b);
  };
  return { from, to, add };
}
