// Orders boxes within layers so that few edges cross: boxes are sorted by the mean position of their neighbors, in
// downward and upward sweeps; the best order is used.

import { neighbours, type Ranked } from "./ranking";

export type Layers = readonly Int32Array[];

const SWEEPS = 12;
// above this size fewer sweeps are made, because counting crossings is slow
const MANY = 4000;

export function orderLayers(ranked: Ranked): Layers {
  const { boxes, from, to } = ranked;
  const n = boxes.length;
  const down = neighbours(n, from, to);
  const up = neighbours(n, to, from);
  let layers = firstOrder(ranked, down.start, down.list);
  const place = new Float64Array(n);
  const number = (all: readonly Int32Array[]): void => {
    for (const layer of all) numberLayer(layer, place);
  };
  number(layers);
  let best = layers.map((layer) => layer.slice());
  let least = crossings(layers, down, place);
  const sweeps = n > MANY ? 3 : SWEEPS;
  for (let sweep = 0; sweep < sweeps && least > 0; sweep++) {
    const downwards = sweep % 2 === 0;
    const side = downwards ? up : down;
    layers = layers.map((layer) => layer.slice());
    for (let k = 1; k < layers.length; k++) {
      const layer = layers[downwards ? k : layers.length - 1 - k];
      if (layer !== undefined) sortByMiddle(layer, side, place, sweep % 4 >= 2);
    }
    const now = crossings(layers, down, place);
    if (now < least) {
      least = now;
      best = layers.map((layer) => layer.slice());
    }
  }
  number(best);
  return best;
}

type Side = { readonly start: Int32Array; readonly list: Int32Array };

/** Returns the initial order by depth-first search, which keeps chains together. */
function firstOrder(ranked: Ranked, start: Int32Array, list: Int32Array): Int32Array[] {
  const { boxes, rank, ranks } = ranked;
  const layers: number[][] = Array.from({ length: ranks }, () => []);
  const seen = new Uint8Array(boxes.length);
  const byRank = Array.from({ length: boxes.length }, (_, i) => i).sort(
    (a, b) => (rank[a] ?? 0) - (rank[b] ?? 0) || a - b,
  );
  const stack: number[] = [];
  for (const begin of byRank) {
    stack.push(begin);
    while (stack.length > 0) {
      const i = stack.pop() ?? 0;
      if (seen[i] === 1) continue;
      seen[i] = 1;
      layers[rank[i] ?? 0]?.push(i);
      for (let p = (start[i + 1] ?? 0) - 1; p >= (start[i] ?? 0); p--) stack.push(list[p] ?? 0);
    }
  }
  return layers.map((layer) => Int32Array.from(layer));
}

function sortByMiddle(layer: Int32Array, side: Side, place: Float64Array, turnTies: boolean): void {
  const middle = new Map<number, number>();
  layer.forEach((i, at) => {
    const begin = side.start[i] ?? 0;
    const end = side.start[i + 1] ?? 0;
    let sum = 0;
    for (let p = begin; p < end; p++) sum += place[side.list[p] ?? 0] ?? 0;
    // without neighbors on this side a box keeps its position
    middle.set(i, end > begin ? sum / (end - begin) : at);
  });
  const was = new Map(Array.from(layer, (i, at) => [i, turnTies ? -at : at]));
  layer.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || (was.get(a) ?? 0) - (was.get(b) ?? 0));
  numberLayer(layer, place);
}

function numberLayer(layer: Int32Array, place: Float64Array): void {
  layer.forEach((i, at) => {
    place[i] = at;
  });
}

/** Counts the pairs of crossing edges, as inversions in a Fenwick tree. */
export function crossings(layers: Layers, down: Side, place: Float64Array): number {
  let count = 0;
  layers.forEach((layer, at) => {
    const below = layers[at + 1];
    if (below === undefined) return;
    const tree = new Int32Array(below.length + 1);
    let edges = 0;
    for (const i of layer) {
      const ends: number[] = [];
      for (let p = down.start[i] ?? 0; p < (down.start[i + 1] ?? 0); p++) ends.push(place[down.list[p] ?? 0] ?? 0);
      for (const end of ends) {
        let upTo = 0;
        for (let k = end + 1; k > 0; k -= k & -k) upTo += tree[k] ?? 0;
        count += edges - upTo;
      }
      for (const end of ends) {
        for (let k = end + 1; k < tree.length; k += k & -k) tree[k] = (tree[k] ?? 0) + 1;
        edges += 1;
      }
    }
  });
  return count;
}
