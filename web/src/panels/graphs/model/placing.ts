// Computes positions of boxes: each box as near to the mean of its neighbors as order and gaps allow, by least squares
// (isotonic regression, exact, in linear time), layer by layer, downward and upward until it converges.

import type { Layers } from "./ordering";
import { neighbours, type Ranked } from "./ranking";

export type Placed = {
  readonly width: number;
  readonly height: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly paths: readonly Float64Array[];
};

const ROUNDS = 24;
const MANY = 4000;
// weight of long edges: keeping them straight is more important
const LINE_PULL = 8;
const SLACK = 6;

export function placeLayers(ranked: Ranked, layers: Layers, boxGap: number, rankGap: number): Placed {
  const { boxes, real, rank } = ranked;
  const x = placeX(ranked, layers, boxGap);
  straighten(ranked, layers, x, boxGap);
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < boxes.length; i++) {
    const half = (boxes[i]?.width ?? 0) / 2;
    left = Math.min(left, (x[i] ?? 0) - half);
    right = Math.max(right, (x[i] ?? 0) + half);
  }
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) - left;
  const tops: number[] = [];
  const bottoms: number[] = [];
  let y = 0;
  layers.forEach((layer, at) => {
    let height = 0;
    for (const i of layer) height = Math.max(height, boxes[i]?.height ?? 0);
    // ports have no height, and edges need less space there
    const border = [layer, layers[at - 1]].some((one) => one?.every((i) => boxes[i]?.port !== undefined || i >= real));
    if (at > 0) y += border && height === 0 ? rankGap / 2 : border ? rankGap / 3 : rankGap;
    tops.push(y);
    y += height;
    bottoms.push(y);
  });
  const middle = (i: number): number => ((tops[rank[i] ?? 0] ?? 0) + (bottoms[rank[i] ?? 0] ?? 0)) / 2;
  const heightOf = (i: number): number => boxes[i]?.height ?? 0;
  const centers = Float64Array.from({ length: real }, (_, i) => middle(i));
  const arrivals = arrivalsOf(ranked, x);
  const paths = ranked.chains.map((chain, edge) => {
    const points: number[] = [];
    chain.forEach((i, at) => {
      const px = at === chain.length - 1 ? (arrivals[edge] ?? 0) : (x[i] ?? 0);
      const [top, bottom] = [tops[rank[i] ?? 0] ?? 0, bottoms[rank[i] ?? 0] ?? 0];
      const [upper, lower] = [middle(i) - heightOf(i) / 2, middle(i) + heightOf(i) / 2];
      // vertical through the whole layer, between its boxes; also beside a box that is much higher
      if (at === 0) points.push(px, lower, ...(bottom - lower > SLACK ? [px, bottom] : []));
      else if (at === chain.length - 1) points.push(...(upper - top > SLACK ? [px, top] : []), px, upper);
      else points.push(px, top, px, bottom);
    });
    return ranked.turned[edge] === 1 ? backwards(points) : Float64Array.from(points);
  });
  return { width: Math.max(0, right - left), height: y, x: x.slice(0, real), y: centers, paths };
}

// distance between the ends of lines at one box
const ARRIVAL_GAP = 22;

/** Returns the x where each edge meets the top of its lower box, in the order of their origins from left to right. */
function arrivalsOf({ chains, boxes }: Ranked, x: Float64Array): Float64Array {
  const lines = new Map<number, Map<number, number[]>>();
  chains.forEach((chain, edge) => {
    const [before = 0, end = 0] = [chain[chain.length - 2], chain[chain.length - 1]];
    const list = lines.get(end) ?? new Map<number, number[]>();
    lines.set(end, list);
    list.set(before, [...(list.get(before) ?? []), edge]);
  });
  const places = new Float64Array(chains.length);
  for (const [end, list] of lines) {
    const sorted = [...list].sort(([a], [b]) => (x[a] ?? 0) - (x[b] ?? 0));
    const room = (boxes[end]?.width ?? 0) * 0.7;
    const gap = Math.min(ARRIVAL_GAP, room / Math.max(1, sorted.length - 1));
    sorted.forEach(([, edges], k) => {
      for (const edge of edges) places[edge] = (x[end] ?? 0) + (k - (sorted.length - 1) / 2) * gap;
    });
  }
  return places;
}

function backwards(points: readonly number[]): Float64Array {
  const turned = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    turned[i] = points[points.length - 2 - i] ?? 0;
    turned[i + 1] = points[points.length - 1 - i] ?? 0;
  }
  return turned;
}

function placeX(ranked: Ranked, layers: Layers, gap: number): Float64Array {
  const { boxes, real, from, to } = ranked;
  const n = boxes.length;
  const x = new Float64Array(n);
  for (const layer of layers) {
    let at = 0;
    for (const i of layer) {
      const half = (boxes[i]?.width ?? 0) / 2;
      x[i] = at + half;
      at += 2 * half + gap;
    }
    // initially all layers are centered at the same x
    for (const i of layer) x[i] = (x[i] ?? 0) - (at - gap) / 2;
  }
  const up = neighbours(n, to, from);
  const down = neighbours(n, from, to);
  const sides = { up, down };
  const rounds = n > MANY ? 4 : ROUNDS;
  for (let round = 0; round < rounds; round++) {
    const last = round >= rounds - (rounds >> 2);
    const downwards = round % 2 === 0;
    for (let k = 0; k < layers.length; k++) {
      const layer = layers[downwards ? k : layers.length - 1 - k];
      if (layer === undefined || layer.length === 0) continue;
      const fromAbove = { side: sides.up, back: sides.down };
      const fromBelow = { side: sides.down, back: sides.up };
      const used = last ? [fromAbove, fromBelow] : [downwards ? fromAbove : fromBelow];
      align(layer, boxes, x, used, real, gap);
    }
  }
  return x;
}

/** Straightens lines through many layers: as few bends as the boxes beside them allow. */
function straighten({ chains, boxes, real, rank }: Ranked, layers: Layers, x: Float64Array, gap: number): void {
  const place = new Int32Array(boxes.length);
  for (const layer of layers) {
    layer.forEach((i, at) => {
      place[i] = at;
    });
  }
  const room = (i: number): readonly [number, number] => {
    const layer = layers[rank[i] ?? 0] ?? new Int32Array();
    const [left, right] = [layer[(place[i] ?? 0) - 1], layer[(place[i] ?? 0) + 1]];
    const half = (boxes[i]?.width ?? 0) / 2;
    const beside = (other: number): number => half + gapBetween(other, i, real, gap) + (boxes[other]?.width ?? 0) / 2;
    return [
      left === undefined ? Number.NEGATIVE_INFINITY : (x[left] ?? 0) + beside(left),
      right === undefined ? Number.POSITIVE_INFINITY : (x[right] ?? 0) - beside(right),
    ];
  };
  const seen = new Set<number>();
  for (const chain of [...chains].sort((a, b) => b.length - a.length)) {
    const points = [...chain.subarray(1, -1)].filter((i) => !seen.has(i));
    for (let from = 0; from < points.length; ) {
      let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      let to = from;
      for (; to < points.length; to++) {
        const [lo, hi] = room(points[to] ?? 0);
        if (Math.max(low, lo) > Math.min(high, hi)) break;
        [low, high] = [Math.max(low, lo), Math.min(high, hi)];
      }
      // no space between the neighbors: the point keeps its position
      if (to === from) to = from + 1;
      else {
        const part = points.slice(from, to);
        const mean = part.reduce((sum, i) => sum + (x[i] ?? 0), 0) / part.length;
        for (const i of part) x[i] = Math.min(high, Math.max(low, mean));
      }
      from = to;
    }
    for (const i of points) seen.add(i);
  }
}

type Side = { readonly start: Int32Array; readonly list: Int32Array };

/** Moves the boxes of a layer as near to their wanted positions as possible, keeping order and minimum gaps. */
function align(
  layer: Int32Array,
  boxes: Ranked["boxes"],
  x: Float64Array,
  sides: readonly { readonly side: Side; readonly back: Side }[],
  real: number,
  gap: number,
): void {
  const count = layer.length;
  const offset = new Float64Array(count);
  const wanted = new Float64Array(count);
  const weight = new Float64Array(count);
  let at = 0;
  for (let k = 0; k < count; k++) {
    const i = layer[k] ?? 0;
    const half = (boxes[i]?.width ?? 0) / 2;
    const before =
      k === 0 ? 0 : half + gapBetween(layer[k - 1] ?? 0, i, real, gap) + (boxes[layer[k - 1] ?? 0]?.width ?? 0) / 2;
    at += before;
    offset[k] = at;
    let sum = 0;
    let pull = 0;
    for (const { side, back } of sides) {
      for (let p = side.start[i] ?? 0; p < (side.start[i + 1] ?? 0); p++) {
        const other = side.list[p] ?? 0;
        const base = i >= real && other >= real ? LINE_PULL : i >= real || other >= real ? 2 : 1;
        // the more successors a box has, the less each of them pulls
        const heirs = (back.start[other + 1] ?? 0) - (back.start[other] ?? 0);
        const own = (side.start[i + 1] ?? 0) - (side.start[i] ?? 0);
        const strength = base === LINE_PULL ? base : base / Math.max(1, i >= real ? own : heirs * heirs);
        sum += strength * (x[other] ?? 0);
        pull += strength;
      }
    }
    wanted[k] = (pull > 0 ? sum / pull : (x[i] ?? 0)) - at;
    weight[k] = pull > 0 ? pull : 0.1;
  }
  const places = inOrder(wanted, weight);
  for (let k = 0; k < count; k++) x[layer[k] ?? 0] = (places[k] ?? 0) + (offset[k] ?? 0);
}

/** Isotonic regression: the non-decreasing numbers nearest to the wanted ones. Overlapping ones are pooled. */
function inOrder(wanted: Float64Array, weight: Float64Array): Float64Array {
  const count = wanted.length;
  const mean = new Float64Array(count);
  const mass = new Float64Array(count);
  const size = new Int32Array(count);
  let pools = 0;
  for (let k = 0; k < count; k++) {
    mean[pools] = wanted[k] ?? 0;
    mass[pools] = weight[k] ?? 0;
    size[pools] = 1;
    pools += 1;
    while (pools > 1 && (mean[pools - 2] ?? 0) > (mean[pools - 1] ?? 0)) {
      const [a, b] = [pools - 2, pools - 1];
      const both = (mass[a] ?? 0) + (mass[b] ?? 0);
      mean[a] = ((mean[a] ?? 0) * (mass[a] ?? 0) + (mean[b] ?? 0) * (mass[b] ?? 0)) / both;
      mass[a] = both;
      size[a] = (size[a] ?? 0) + (size[b] ?? 0);
      pools -= 1;
    }
  }
  const places = new Float64Array(count);
  let k = 0;
  for (let pool = 0; pool < pools; pool++) {
    for (let m = 0; m < (size[pool] ?? 0); m++, k++) places[k] = mean[pool] ?? 0;
  }
  return places;
}

/** Returns the minimum gap; lines may be closer together than boxes. */
function gapBetween(a: number, b: number, real: number, gap: number): number {
  return a >= real && b >= real ? gap / 4 : a >= real || b >= real ? gap / 2 : gap;
}
