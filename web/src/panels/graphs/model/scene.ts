// The scene: positions of boxes of all items that are not inside closed groups, dots, and edges as lines. Open groups
// are laid out from the inside out; layouts of unchanged groups are cached.

import { type Hierarchy, LEAF, ROOT, SERIES } from "./hierarchy";
import { type Layout, type LayoutBox, type LayoutEdge, layout, pack } from "./layered";
import type { Links } from "./links";
import { type Bundle, MANY, type Plan, type Planner } from "./plan";
import { closedSize, DOT_ROOM, HEADER, PADDING, type Size, textWidth, type Words, wordsOf } from "./sizes";

/** Bits of `flags`. */
export const [CAN_OPEN, OPEN, ASIDE, IN_LINE, UNGROUPED] = [1, 2, 4, 8, 16] as const;
/** Bits of `edgeFlags`. */
export const [ONLY_CONTROL, REFERENCES] = [1, 2] as const;

export type Scene = {
  readonly width: number;
  readonly height: number;
  /** Boxes; each precedes its contents. */
  readonly item: Int32Array;
  readonly parent: Int32Array;
  readonly depth: Int32Array;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  readonly type: Uint8Array;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly leaves: Int32Array;
  readonly label: readonly string[];
  readonly note: readonly string[];
  readonly path: readonly string[];
  /** Dots: constants, summaries and inputs beside the box they belong to. */
  readonly dotItem: Int32Array;
  readonly dotBox: Int32Array;
  readonly dotX: Float32Array;
  readonly dotY: Float32Array;
  readonly dotKind: Uint8Array;
  readonly dotPath: readonly string[];
  /** Points of line i: x, y, x, y … in [lineAt[i], lineAt[i + 1]). */
  readonly lineAt: Uint32Array;
  readonly points: Float32Array;
  readonly lineWidth: Float32Array;
  readonly lineFlags: Uint8Array;
  /** The shape of its largest tensor, if known, and the number of tensors. */
  readonly lineLabel: readonly string[];
  readonly lineTensors: Int32Array;
  /** Boxes of both ends at the level of the line; -1: beyond the border of the group. */
  readonly lineFrom: Int32Array;
  readonly lineTo: Int32Array;
};

export type SceneMaker = {
  readonly make: (open: ReadonlySet<number>) => Made;
};

export type Made = {
  readonly scene: Scene;
  readonly boxOf: ReadonlyMap<number, number>;
  /** Indices of lines by group and both ends, see `lineKey`. */
  readonly lineOf: ReadonlyMap<string, number>;
};

export const lineKey = (group: number, from: number, to: number): string => `${group} ${from} ${to}`;

const ASIDE_GAP = 36;
const ASIDE_BOX_GAP = 14;

type Inner = {
  readonly plan: Plan;
  readonly size: Size;
  readonly layout: Layout;
  /** Positions of extracted boxes, relative to the upper left corner of the group. */
  readonly asides: readonly { readonly x: number; readonly y: number }[];
  readonly left: number;
  readonly top: number;
  readonly boxes: readonly LayoutBox[];
};

export function newSceneMaker(links: Links, planner: Planner): SceneMaker {
  const { hierarchy } = links;
  const kept = new Map<number, { readonly key: string; readonly inner: Inner }>();
  const words = new Map<number, Words>();
  const wordsFor = (item: number): Words => {
    const known = words.get(item) ?? wordsOf(hierarchy, item);
    words.set(item, known);
    return known;
  };

  function innerOf(group: number, open: ReadonlySet<number>): Inner {
    const plan = planner.plan(group);
    const sizes = plan.shown.map((item) => sizeOf(item, plan, open));
    const asideSizes = plan.aside.map((item) => sizeOf(item, plan, open));
    const key = [...sizes, ...asideSizes].map(({ width, height }) => `${width}x${height}`).join();
    const known = kept.get(group);
    if (known?.key === key) return known.inner;
    const inner = layOut(hierarchy, plan, sizes, asideSizes, wordsFor(group));
    kept.set(group, { key, inner });
    return inner;
  }

  function sizeOf(item: number, plan: Plan, open: ReadonlySet<number>): Size {
    if (open.has(item) && hierarchy.type[item] !== LEAF) {
      const { width, height } = innerOf(item, open).size;
      return { width: width + (plan.dots.has(item) ? DOT_ROOM : 0), height };
    }
    return closedSize(hierarchy, item, wordsFor(item), plan.dots.has(item));
  }

  return {
    make(open) {
      const builder = newBuilder(hierarchy, planner, wordsFor);
      const whole = innerOf(hierarchy.root, open);
      const openInner = (item: number): Inner | null => (open.has(item) ? innerOf(item, open) : null);
      place({ builder, inner: whole, x: 0, y: 0, parent: -1, depth: 0, openInner });
      return finish(builder, whole.size);
    },
  };
}

function layOut(
  hierarchy: Hierarchy,
  plan: Plan,
  sizes: readonly Size[],
  asideSizes: readonly Size[],
  title: Words,
): Inner {
  const { top, bottom } = plan.ports;
  const index = new Map<number, number>();
  const boxes: LayoutBox[] = [];
  plan.shown.forEach((item, i) => {
    index.set(item, boxes.length);
    boxes.push(sizes[i] ?? { width: 0, height: 0 });
  });
  // the same item may be beyond both borders
  const upper = new Map(top.map((item, i) => [~item, boxes.length + i]));
  for (const _ of top) boxes.push({ width: 10, height: 0, port: "top" });
  const lower = new Map(bottom.map((item, i) => [~item, boxes.length + i]));
  for (const _ of bottom) boxes.push({ width: 10, height: 0, port: "bottom" });
  const edges: LayoutEdge[] = plan.bundles.map(({ from, to }) => ({
    from: (from < 0 ? upper.get(from) : index.get(from)) ?? 0,
    to: (to < 0 ? lower.get(to) : index.get(to)) ?? 0,
  }));
  const made = layout(boxes, edges);
  const isRoot = hierarchy.type[plan.group] === ROOT;
  const left = isRoot ? 0 : PADDING;
  const above = isRoot ? 0 : HEADER;
  const columns = pack(asideSizes, asideRoom(asideSizes, made.height), ASIDE_BOX_GAP);
  const asideLeft = left + made.width + (made.width > 0 ? ASIDE_GAP : 0);
  const inside = asideSizes.length > 0 ? asideLeft + columns.width : left + made.width;
  const width = Math.max(inside + left, isRoot ? 0 : textWidth(title.label, 12) + 70);
  const height = above + Math.max(made.height, columns.height) + (isRoot ? 0 : PADDING);
  return {
    plan,
    size: { width, height },
    layout: made,
    asides: columns.corners.map(({ x, y }) => ({ x: asideLeft + x, y: above + y })),
    left: left + Math.max(0, width - inside - left) / 2,
    top: above,
    boxes,
  };
}

/** Returns the width for extracted boxes: one column if it is not much higher than the main graph, else more. */
function asideRoom(sizes: readonly Size[], height: number): number {
  const total = sizes.reduce((sum, size) => sum + size.height + ASIDE_BOX_GAP, 0);
  const widest = sizes.reduce((most, size) => Math.max(most, size.width), 0);
  return widest * Math.max(1, Math.ceil(total / Math.max(400, 1.2 * height)));
}

/** Arrays that grow while groups are placed; `finish` converts them to typed arrays. */
type Builder = {
  readonly hierarchy: Hierarchy;
  readonly planner: Planner;
  readonly wordsFor: (item: number) => Words;
  readonly box: Readonly<Record<"item" | "parent" | "depth" | "flags", number[]>>;
  readonly place: Readonly<Record<"x" | "y" | "w" | "h", number[]>>;
  readonly dots: Readonly<Record<"item" | "box" | "x" | "y", number[]>>;
  /** The points of line i are points[at[i]] up to points[at[i + 1]]. */
  readonly lines: Readonly<Record<"at" | "points" | "width" | "flags" | "tensors" | "from" | "to", number[]>>;
  readonly lineLabels: string[];
  readonly boxOf: Map<number, number>;
  readonly lineOf: Map<string, number>;
};

function newBuilder(hierarchy: Hierarchy, planner: Planner, wordsFor: (item: number) => Words): Builder {
  return {
    hierarchy,
    planner,
    wordsFor,
    box: { item: [], parent: [], depth: [], flags: [] },
    place: { x: [], y: [], w: [], h: [] },
    dots: { item: [], box: [], x: [], y: [] },
    lines: { at: [0], points: [], width: [], flags: [], tensors: [], from: [], to: [] },
    lineLabels: [],
    boxOf: new Map(),
    lineOf: new Map(),
  };
}

type NewBox = {
  readonly item: number;
  readonly parent: number;
  readonly depth: number;
  readonly flags: number;
  readonly x: number;
  readonly y: number;
  readonly size: Size;
};

/** Adds a box and returns its index. */
function addBox(builder: Builder, { item, parent, depth, flags, x, y, size }: NewBox): number {
  const { hierarchy, box, place, boxOf } = builder;
  boxOf.set(item, box.item.length);
  box.item.push(item);
  box.parent.push(parent);
  box.depth.push(depth);
  box.flags.push(flags | (hierarchy.apart.has(item) ? UNGROUPED : 0));
  place.x.push(x);
  place.y.push(y);
  place.w.push(size.width);
  place.h.push(size.height);
  return box.item.length - 1;
}

function addDot({ dots }: Builder, item: number, host: number, x: number, y: number): void {
  dots.item.push(item);
  dots.box.push(host);
  dots.x.push(x);
  dots.y.push(y);
}

function addLine(builder: Builder, group: number, bundle: Bundle, points: readonly number[]): void {
  const { hierarchy, lines, lineLabels, lineOf, boxOf } = builder;
  const boxAt = (item: number): number => (item < 0 ? -1 : (boxOf.get(item) ?? -1));
  lineOf.set(lineKey(group, bundle.from, bundle.to), lines.from.length);
  for (const point of points) lines.points.push(point);
  lines.at.push(lines.points.length);
  lines.width.push(widthOf(bundle));
  const control = bundle.controls === bundle.count ? ONLY_CONTROL : 0;
  lines.flags.push(control | (bundle.references > 0 ? REFERENCES : 0));
  lineLabels.push(hierarchy.columns.shapes[bundle.shape] ?? "");
  lines.tensors.push(bundle.tensors);
  lines.from.push(boxAt(bundle.from));
  lines.to.push(boxAt(bundle.to));
}

function finish(
  { hierarchy, wordsFor, box, place, dots, lines, lineLabels, boxOf, lineOf }: Builder,
  size: Size,
): Made {
  const { columns, type, path, low, high } = hierarchy;
  const items = Int32Array.from(box.item);
  const scene: Scene = {
    ...size,
    item: items,
    parent: Int32Array.from(box.parent),
    depth: Int32Array.from(box.depth),
    x: Float32Array.from(place.x),
    y: Float32Array.from(place.y),
    w: Float32Array.from(place.w),
    h: Float32Array.from(place.h),
    type: Uint8Array.from(items, (item) => type[item] ?? 0),
    kind: Uint8Array.from(items, (item) => columns.kind[item] ?? 0),
    flags: Uint8Array.from(box.flags),
    leaves: Int32Array.from(items, (item) => (high[item] ?? 0) - (low[item] ?? 0)),
    label: box.item.map((item) => wordsFor(item).label),
    note: box.item.map((item) => wordsFor(item).note),
    path: box.item.map((item) => path[item] ?? ""),
    dotItem: Int32Array.from(dots.item),
    dotBox: Int32Array.from(dots.box),
    dotX: Float32Array.from(dots.x),
    dotY: Float32Array.from(dots.y),
    dotKind: Uint8Array.from(dots.item, (item) => columns.kind[item] ?? 0),
    dotPath: dots.item.map((item) => path[item] ?? ""),
    lineAt: Uint32Array.from(lines.at),
    points: Float32Array.from(lines.points),
    lineWidth: Float32Array.from(lines.width),
    lineFlags: Uint8Array.from(lines.flags),
    lineLabel: lineLabels,
    lineTensors: Int32Array.from(lines.tensors),
    lineFrom: Int32Array.from(lines.from),
    lineTo: Int32Array.from(lines.to),
  };
  return { scene, boxOf, lineOf };
}

/** A group whose contents are placed, and its position. */
type Placing = {
  readonly builder: Builder;
  readonly inner: Inner;
  readonly x: number;
  readonly y: number;
  /** The box of the group; -1 for the whole graph. */
  readonly parent: number;
  readonly depth: number;
  /** Null: the item is closed. */
  readonly openInner: (item: number) => Inner | null;
};

/** Adds the contents of a group at its position in the scene. */
function place(placing: Placing): void {
  const { builder, inner, x: x0, y: y0, openInner } = placing;
  const { hierarchy } = builder;
  const { plan, layout: made, left, top, boxes } = inner;
  plan.shown.forEach((item, i) => {
    const size = boxes[i] ?? { width: 0, height: 0 };
    const center = { x: x0 + left + (made.x[i] ?? 0), y: y0 + top + (made.y[i] ?? 0) };
    placeBox(placing, item, center.x - size.width / 2, center.y - size.height / 2, size, 0);
  });
  plan.aside.forEach((item, i) => {
    const corner = inner.asides[i] ?? { x: 0, y: 0 };
    const size = openInner(item)?.size ?? closedSize(hierarchy, item, wordsOf(hierarchy, item), false);
    placeBox(placing, item, x0 + corner.x, y0 + corner.y, size, ASIDE);
  });
  plan.bundles.forEach((bundle, i) => {
    const path = made.paths[i];
    if (path !== undefined && path.length >= 4) placeLine(placing, bundle, path);
  });
}

/** Adds a box with its dots, and its contents if it is open. */
function placeBox(placing: Placing, item: number, x: number, y: number, size: Size, aside: number): void {
  const { builder, inner, parent, depth, openInner } = placing;
  const { hierarchy, planner } = builder;
  const within = hierarchy.type[item] === LEAF ? null : openInner(item);
  const flags =
    (hierarchy.type[item] === LEAF ? 0 : CAN_OPEN) |
    (within === null ? 0 : OPEN) |
    aside |
    (hierarchy.type[item] === SERIES && inLine(planner, item) ? IN_LINE : 0);
  const dots = inner.plan.dots.get(item) ?? [];
  // an open group has its dots outside, at its left border
  const room = dots.length > 0 ? DOT_ROOM : 0;
  const inside = { ...size, width: size.width - room };
  const at = addBox(builder, { item, parent, depth, flags, x: x + room, y, size: inside });
  dots.forEach((dot, k) => {
    const middle = within === null ? size.height / 2 : HEADER / 2 + (dots.length - 1) * 4.5;
    const step = within === null ? Math.min(9, (size.height - 6) / dots.length) : 9;
    addDot(builder, dot, at, x + 4, y + middle + (k - (dots.length - 1) / 2) * step);
  });
  if (within !== null) place({ builder, inner: within, x: x + room, y, parent: at, depth: depth + 1, openInner });
}

/** Adds a line; into an open group it is extended to where the edge continues inside. */
function placeLine(placing: Placing, bundle: Bundle, path: ArrayLike<number>): void {
  const { builder, inner, x: x0, y: y0, openInner } = placing;
  const { plan, left, top, size } = inner;
  const points = Array.from(path, (value, k) => value + (k % 2 === 0 ? x0 + left : y0 + top));
  const last = points.length - 2;
  if (bundle.from < 0) points.unshift(points[0] ?? 0, y0);
  else points[0] = portX(builder, openInner(bundle.from), bundle.from, "bottom", other(bundle, "to"), points[0] ?? 0);
  const end = bundle.from < 0 ? last + 2 : last;
  if (bundle.to < 0) points.push(points[end] ?? 0, y0 + size.height);
  else points[end] = portX(builder, openInner(bundle.to), bundle.to, "top", other(bundle, "from"), points[end] ?? 0);
  addLine(builder, plan.group, bundle, points);
}

/** Returns the item at an end of a bundle, even if it is beyond the border. */
function other(bundle: Bundle, end: "from" | "to"): number {
  const item = bundle[end];
  return item < 0 ? ~item : item;
}

function portX(
  builder: Builder,
  inner: Inner | null,
  item: number,
  side: "top" | "bottom",
  outer: number,
  fallback: number,
): number {
  const box = builder.boxOf.get(item);
  if (inner === null || box === undefined) return fallback;
  const ports = inner.plan.ports[side];
  const at = ports.indexOf(outer) >= 0 ? ports.indexOf(outer) : ports.indexOf(MANY);
  if (at < 0) return fallback;
  const place = inner.plan.shown.length + (side === "top" ? 0 : inner.plan.ports.top.length) + at;
  return (builder.place.x[box] ?? 0) + inner.left + (inner.layout.x[place] ?? 0);
}

/** Returns true if the items of a series are connected with each other. */
function inLine(planner: Planner, series: number): boolean {
  const plan = planner.plan(series);
  return plan.bundles.some(({ from, to }) => from >= 0 && to >= 0);
}

/** Returns the line width: one pixel for one element, six for a hundred million. */
function widthOf({ elements, controls, count }: Bundle): number {
  if (controls === count) return 1;
  return 1 + Math.min(5, Math.log10(Math.max(1, elements)) * 0.62);
}
