// Layout of one group: puts boxes in layers from top to bottom and routes edges between them. We use no library because
// a level may have tens of thousands of boxes (our time is proportional to boxes and edges), too wide layers must be
// wrapped, boxes without edges form a block, and ports are fixed on the upper and lower border, so that an edge
// continues inside an open namespace where it enters.
//
//   rank → wrap → route (points of long edges, shared by all edges of one source) → order → x by least squares → y

import { orderLayers } from "./ordering";
import { placeLayers } from "./placing";
import { type Ranked, rankBoxes } from "./ranking";

export type LayoutBox = {
  readonly width: number;
  readonly height: number;
  /** The box is a port on the border of the group; its height is 0. */
  readonly port?: "top" | "bottom" | undefined;
};

export type LayoutEdge = { readonly from: number; readonly to: number };

export type Layout = {
  readonly width: number;
  readonly height: number;
  /** Center of each box; for a port its position on the border. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Points of each edge (x, y, x, y …) from the bottom of its source to the top of its target. */
  readonly paths: readonly Float64Array[];
};

export const BOX_GAP = 24;
export const RANK_GAP = 34;
const PART_GAP = 40;
/** Wider layers are wrapped; this is about one and a half screens. */
const MOST_WIDTH = 2400;
// aspect ratio of blocks of boxes without edges, and of the arrangement of unconnected parts
const ASPECT = 1.7;

export function layout(boxes: readonly LayoutBox[], edges: readonly LayoutEdge[]): Layout {
  const parts = partsOf(boxes, edges);
  const x = new Float64Array(boxes.length);
  const y = new Float64Array(boxes.length);
  const paths: Float64Array[] = edges.map(() => new Float64Array());
  const frames = parts.map((part) => layoutPart(part, boxes, edges, { x, y, paths }));
  const packed = pack(frames);
  parts.forEach((part, at) => {
    const corner = packed.corners[at] ?? { x: 0, y: 0 };
    for (const box of part.boxes) {
      x[box] = (x[box] ?? 0) + corner.x;
      y[box] = (y[box] ?? 0) + corner.y;
    }
    for (const edge of part.edges) shift(paths[edge], corner.x, corner.y);
  });
  return { width: packed.width, height: packed.height, x, y, paths };
}

type Part = { readonly boxes: readonly number[]; readonly edges: readonly number[] };
type Size = { readonly width: number; readonly height: number };
type Places = { readonly x: Float64Array; readonly y: Float64Array; readonly paths: Float64Array[] };

function shift(path: Float64Array | undefined, dx: number, dy: number): void {
  if (path === undefined) return;
  for (let i = 0; i < path.length; i += 2) {
    path[i] = (path[i] ?? 0) + dx;
    path[i + 1] = (path[i + 1] ?? 0) + dy;
  }
}

/** Returns connected components; all boxes without edges are one part. With ports, all boxes with edges are another. */
function partsOf(boxes: readonly LayoutBox[], edges: readonly LayoutEdge[]): readonly Part[] {
  const root = Int32Array.from(boxes, (_, i) => i);
  const find = (i: number): number => {
    let at = i;
    while (root[at] !== at) {
      root[at] = root[root[at] ?? 0] ?? 0;
      at = root[at] ?? 0;
    }
    return at;
  };
  const linked = new Uint8Array(boxes.length);
  let port = -1;
  for (const { from, to } of edges) {
    linked[from] = 1;
    linked[to] = 1;
    root[find(from)] = find(to);
  }
  boxes.forEach((box, i) => {
    if (box.port === undefined || linked[i] === 0) return;
    if (port >= 0) root[find(port)] = find(i);
    port = i;
  });
  const parts = new Map<number, { boxes: number[]; edges: number[] }>();
  const partOf = (i: number): { boxes: number[]; edges: number[] } => {
    const key = linked[i] === 0 ? -1 : find(i);
    let part = parts.get(key);
    if (part === undefined) {
      part = { boxes: [], edges: [] };
      parts.set(key, part);
    }
    return part;
  };
  for (let i = 0; i < boxes.length; i++) partOf(i).boxes.push(i);
  edges.forEach(({ from }, edge) => {
    partOf(from).edges.push(edge);
  });
  // parts with edges first, larger ones before smaller ones
  const order = (part: Part): number => (part.edges.length === 0 ? Number.POSITIVE_INFINITY : -part.boxes.length);
  return [...parts.values()].sort((a, b) => order(a) - order(b));
}

function layoutPart(part: Part, boxes: readonly LayoutBox[], edges: readonly LayoutEdge[], places: Places): Size {
  if (part.edges.length === 0) return block(part.boxes, boxes, places);
  const local = new Map(part.boxes.map((box, i) => [box, i]));
  const own = part.boxes.map((box) => boxes[box] ?? { width: 0, height: 0 });
  const links = part.edges.map((edge) => ({
    from: local.get(edges[edge]?.from ?? 0) ?? 0,
    to: local.get(edges[edge]?.to ?? 0) ?? 0,
  }));
  const ranked: Ranked = rankBoxes(own, links, MOST_WIDTH);
  const layers = orderLayers(ranked);
  const placed = placeLayers(ranked, layers, BOX_GAP, RANK_GAP);
  part.boxes.forEach((box, i) => {
    places.x[box] = placed.x[i] ?? 0;
    places.y[box] = placed.y[i] ?? 0;
  });
  part.edges.forEach((edge, i) => {
    places.paths[edge] = placed.paths[i] ?? new Float64Array();
  });
  return { width: placed.width, height: placed.height };
}

/** Places boxes in rows, wrapped to the aspect ratio of a screen. */
function block(which: readonly number[], boxes: readonly LayoutBox[], { x, y }: Places): Size {
  const gap = BOX_GAP / 2;
  let area = 0;
  let widest = 0;
  for (const i of which) {
    const { width, height } = boxes[i] ?? { width: 0, height: 0 };
    area += (width + gap) * (height + gap);
    widest = Math.max(widest, width);
  }
  const room = Math.max(widest, Math.sqrt(area * ASPECT) * 1.1);
  const frames = pack(
    which.map((i) => boxes[i] ?? { width: 0, height: 0 }),
    room,
    gap,
  );
  which.forEach((i, at) => {
    const { width, height } = boxes[i] ?? { width: 0, height: 0 };
    const corner = frames.corners[at] ?? { x: 0, y: 0 };
    x[i] = corner.x + width / 2;
    y[i] = corner.y + height / 2;
  });
  return { width: frames.width, height: frames.height };
}

/** Places rectangles side by side in rows. */
export function pack(
  frames: readonly Size[],
  room = roomFor(frames),
  gap = PART_GAP,
): Size & { readonly corners: readonly { readonly x: number; readonly y: number }[] } {
  const corners: { x: number; y: number }[] = [];
  let [left, top, rowHeight, width] = [0, 0, 0, 0];
  for (const frame of frames) {
    if (left > 0 && left + frame.width > room) {
      top += rowHeight + gap;
      left = 0;
      rowHeight = 0;
    }
    corners.push({ x: left, y: top });
    width = Math.max(width, left + frame.width);
    left += frame.width + gap;
    rowHeight = Math.max(rowHeight, frame.height);
  }
  return { corners, width, height: frames.length === 0 ? 0 : top + rowHeight };
}

function roomFor(frames: readonly Size[]): number {
  let area = 0;
  let widest = 0;
  for (const { width, height } of frames) {
    area += (width + PART_GAP) * (height + PART_GAP);
    widest = Math.max(widest, width);
  }
  return Math.max(widest, Math.sqrt(area * ASPECT) * 1.1);
}
