// Converts mouse, touch, wheel and keyboard events on a chart to ranges. Each handler is called at most once per frame.
//
// The start of a drag decides what it does (`Drag`): it draws a zoom box, pans both axes, or moves a handle of the
// selection. Two fingers zoom and pan. Clicks are the browser's click events, except for a click that ends a drag.

import { type Gesture, type Pinch, pinchFactor } from "../base/pointer_gestures";
import { dragHandleAt, dragHandlesOf, moveHandle, type SelectionEnd } from "./drag_handles";
import { listenTo as listenToGestures, pointIn, type View } from "./gesture_listener";
import {
  type Boxed,
  boxBetween,
  CLICK_PX,
  keyed,
  type Point,
  panned,
  rangesOf,
  shareOf,
  wheelFactor,
  type Zoom,
  zoomed,
} from "./gestures";
import type { Layout } from "./layout";
import { fromPx } from "./scales";
import type { Axis, Range, Scene, Selection } from "./types";

export type Hover = {
  readonly x: number;
  readonly y: number;
  readonly xPx: number;
  readonly yPx: number;
  readonly clientX: number;
  readonly clientY: number;
  /** The element of the chart. */
  readonly element: HTMLElement;
};

export type Handlers = {
  readonly onZoom: (x: Zoom, y: Zoom) => void;
  readonly onGestureEnd: () => void;
  readonly onHover: (hover: Hover | null) => void;
  readonly onClick: (hover: Hover, event: MouseEvent) => void;
  readonly onSelection?: ((selection: Selection | null) => void) | undefined;
  /** The zoom box being dragged; null if there is none. */
  readonly onBox: (box: Boxed | null) => void;
  readonly onPlainWheel: () => void;
};

/** The members of a scene that a pointer needs. */
export type Met = Pick<Scene, "x" | "y" | "selection" | "locale" | "widthPx">;

type Shown = { readonly scene: Met; readonly layout: Layout; readonly handlers: Handlers };

/** Returns what is on screen now; called at every event. Null while the chart has no size. */
export type Now = () => Shown | null;

/** The axes are those at the start of the drag: ranges are computed from them, not from later drawings. */
export type Drag =
  | { readonly kind: "box"; readonly from: Point; readonly only: "x" | "y" | null; readonly box: Boxed | null }
  | { readonly kind: "pan"; readonly from: Point; readonly x: Axis; readonly y: Axis; readonly moved: boolean }
  | { readonly kind: "handle"; readonly end: SelectionEnd; readonly selection: Selection }
  | { readonly kind: "pinch"; readonly x: Axis; readonly y: Axis };

/** Requested ranges that are not drawn yet. */
type Wanted = { readonly x: Zoom; readonly y: Zoom };

type Pointer = {
  readonly element: HTMLElement;
  readonly now: Now;
  drag: Drag | null;
  /** The click event after the release of a drag is ignored. */
  ignoresClick: boolean;
  /** Several wheel events of one frame are accumulated here. */
  wanted: Wanted | null;
  /** The event whose hover is reported next; null: nothing to report. */
  hover: MouseEvent | "left" | null;
  /** The requested animation frame; 0: none. */
  frame: number;
  /** Timer that ends a gesture of the wheel or of keys, which have no release event. */
  pause: ReturnType<typeof setTimeout> | undefined;
};

const PAUSE_MILLIS = 200;

/** Returns a function that stops listening. */
export function listenTo(element: HTMLElement, now: Now): () => void {
  const pointer: Pointer = {
    element,
    now,
    drag: null,
    ignoresClick: false,
    wanted: null,
    hover: null,
    frame: 0,
    pause: undefined,
  };
  const stop = listenToGestures(element, viewOf(pointer));
  return () => {
    stop();
    clearTimeout(pointer.pause);
    cancelAnimationFrame(pointer.frame);
  };
}

function viewOf(pointer: Pointer): View {
  return {
    dragFromPx: 0,
    scrollsByTouch: true,
    accept: (event) => {
      if (pointer.now() === null) return "ignore";
      if (event.pointerType === "touch") return "pinch";
      if (event.button === 1) event.preventDefault(); // prevents the browser's own autoscroll
      return event.button === 0 || event.button === 1 ? "drag" : "ignore";
    },
    onGesture: (gesture) => {
      const shown = pointer.now();
      if (shown !== null) onGesture(pointer, shown, gesture);
      else if (gesture.kind === "release" || gesture.kind === "pinch-end") pointer.drag = null;
    },
    onWheel: (event, at) => onWheel(pointer, event, at),
    onKey: (event) => onKey(pointer, event),
    onClick: (event) => onClick(pointer, event),
    onDoubleClick: () => {
      pointer.now()?.handlers.onZoom(null, null);
      pointer.now()?.handlers.onGestureEnd();
    },
  };
}

function onGesture(pointer: Pointer, shown: Shown, gesture: Gesture<PointerEvent>): void {
  const { scene } = shown;
  switch (gesture.kind) {
    case "press":
      pointer.ignoresClick = false;
      if (gesture.event.pointerType !== "touch") beginDrag(pointer, shown, gesture.at, gesture.event);
      return;
    case "pinch-start":
      pointer.ignoresClick = false;
      pointer.drag = { kind: "pinch", x: scene.x, y: scene.y };
      return;
    case "hover":
    case "leave":
      if (pointer.drag === null) hoverTo(pointer, shown, gesture);
      return;
    case "drag":
      if (pointer.drag === null) hoverTo(pointer, shown, gesture);
      else continueDrag(pointer, shown, pointer.drag, gesture.at);
      return;
    case "pinch": {
      if (pointer.drag?.kind !== "pinch") return;
      const { x, y } = pinched(pointer.drag, gesture.from, gesture.to, shown.layout);
      endHover(pointer);
      zoomTo(pointer, x, y);
      return;
    }
    case "pinch-end":
    case "release":
      endDrag(pointer, shown, gesture.at, gesture.cancelled);
      return;
  }
}

function hoverTo(pointer: Pointer, shown: Shown, gesture: Gesture<PointerEvent> & { readonly at: Point }): void {
  if (gesture.kind === "leave") pointer.hover = "left";
  else {
    pointer.hover = gesture.event;
    if (gesture.event.pointerType !== "touch") {
      pointer.element.style.cursor = cursorAt(gesture.at, shown.scene, shown.layout);
    }
  }
  schedule(pointer);
}

/** Values under the pointer are not shown while the axes move, nor afterwards until the pointer moves. */
function endHover(pointer: Pointer): void {
  pointer.hover = "left";
  schedule(pointer);
}

function beginDrag(pointer: Pointer, { scene, layout, handlers }: Shown, at: Point, event: PointerEvent): void {
  const panning = event.button === 1 || event.shiftKey || event.altKey;
  pointer.drag = panning
    ? { kind: "pan", from: at, x: scene.x, y: scene.y, moved: false }
    : dragAt(at, scene, layout, handlers.onSelection !== undefined);
  pointer.element.style.cursor = panning ? "grabbing" : cursorAt(at, scene, layout);
}

/** Returns the drag that starts at a point. On the labels of an axis the box zooms only that axis. */
export function dragAt(at: Point, scene: Met, layout: Layout, selectable: boolean): Drag {
  const handle = selectable ? dragHandleAt(dragHandlesOf(scene, layout), layout, at.xPx, at.yPx) : null;
  if (handle !== null && scene.selection !== null) {
    return { kind: "handle", end: handle.end, selection: scene.selection };
  }
  const only = at.yPx > layout.plot.bottomPx ? "x" : at.xPx < layout.plot.leftPx ? "y" : null;
  return { kind: "box", from: at, only, box: null };
}

function continueDrag(pointer: Pointer, { scene, layout, handlers }: Shown, drag: Drag, at: Point): void {
  switch (drag.kind) {
    case "box": {
      const box = boxBetween(drag.from, endOf(drag, at, layout), layout.plot);
      pointer.drag = { ...drag, box };
      handlers.onBox(box);
      if (box !== null) endHover(pointer);
      return;
    }
    case "pan": {
      const ranges = pannedTo(drag, at, layout);
      if (ranges === null) return;
      pointer.drag = { ...drag, moved: true };
      endHover(pointer);
      zoomTo(pointer, ranges.x, ranges.y);
      return;
    }
    case "handle":
      endHover(pointer);
      handlers.onSelection?.(moveHandle(drag.selection, drag.end, fromPx(layout.x, at.xPx), scene.x));
      return;
    case "pinch":
      return;
  }
}

/** Returns null if the pointer has not moved far enough: it may still be a click. */
export function pannedTo(
  { from, x, y, moved }: Drag & { readonly kind: "pan" },
  at: Point,
  layout: Layout,
): { readonly x: Range; readonly y: Range } | null {
  if (!moved && Math.hypot(at.xPx - from.xPx, at.yPx - from.yPx) < CLICK_PX) return null;
  const across = (from.xPx - at.xPx) / (layout.x.toPx - layout.x.fromPx);
  const upright = (from.yPx - at.yPx) / (layout.y.toPx - layout.y.fromPx);
  return { x: panned(x, across), y: panned(y, upright) };
}

/** Returns the ranges that keep the same values under both fingers. */
export function pinched(
  { x, y }: { readonly x: Axis; readonly y: Axis },
  from: Pinch,
  to: Pinch,
  layout: Layout,
): { readonly x: Range; readonly y: Range } {
  const factor = 1 / pinchFactor(from, to);
  const moved = (axis: Axis, scale: Layout["x"], fromAt: number, toAt: number): Range =>
    panned(
      { ...axis, ...zoomed(axis, shareOf(scale, fromAt), factor) },
      -(shareOf(scale, toAt) - shareOf(scale, fromAt)),
    );
  return { x: moved(x, layout.x, from.xPx, to.xPx), y: moved(y, layout.y, from.yPx, to.yPx) };
}

function endDrag(pointer: Pointer, { scene, layout, handlers }: Shown, at: Point, cancelled: boolean): void {
  const { drag } = pointer;
  pointer.drag = null;
  if (cancelled) {
    handlers.onBox(null);
    return;
  }
  if (drag === null) return;
  pointer.element.style.cursor = cursorAt(at, scene, layout);
  if (drag.kind === "box") {
    handlers.onBox(null);
    if (drag.box === null) return;
    const { x, y } = rangesOf(drag.box, layout);
    if (x !== undefined || y !== undefined) handlers.onZoom(x, y);
  }
  if (drag.kind === "pan" && !drag.moved) return;
  if (pointer.wanted !== null) flush(pointer);
  handlers.onGestureEnd();
  pointer.ignoresClick = true;
}

function onClick(pointer: Pointer, event: MouseEvent): void {
  const shown = pointer.now();
  const ignored = pointer.ignoresClick;
  pointer.ignoresClick = false;
  if (ignored || shown === null || event.detail > 1) return;
  const hover = hoverAt(pointer.element, event, shown.layout);
  if (hover !== null) shown.handlers.onClick(hover, event);
}

/** Returns true if the wheel zooms; without Alt or Ctrl the page scrolls. */
function onWheel(pointer: Pointer, event: WheelEvent, at: Point): boolean {
  const shown = pointer.now();
  if (shown === null) return false;
  if (!event.altKey && !event.ctrlKey) {
    if (Math.abs(event.deltaY) > Math.abs(event.deltaX)) shown.handlers.onPlainWheel();
    return false;
  }
  const factor = wheelFactor(event.deltaY || event.deltaX, event.deltaMode);
  const { x, y } = wheeled(shown, pointer.wanted, at, factor);
  endHover(pointer);
  zoomTo(pointer, x, y);
  endAfterPause(pointer);
  return true;
}

/** On the labels of one axis the wheel zooms only that axis. */
export function wheeled(
  { scene, layout }: Pick<Shown, "scene" | "layout">,
  wanted: Wanted | null,
  at: Point,
  factor: number,
): Wanted {
  const zoom = (axis: Axis, asked: Zoom, scale: Layout["x"], px: number): Range =>
    zoomed(asked ? { ...axis, ...asked } : axis, shareOf(scale, px), factor);
  return {
    x: at.xPx < layout.plot.leftPx ? undefined : zoom(scene.x, wanted?.x, layout.x, at.xPx),
    y: at.yPx > layout.plot.bottomPx ? undefined : zoom(scene.y, wanted?.y, layout.y, at.yPx),
  };
}

function onKey(pointer: Pointer, event: KeyboardEvent): void {
  const shown = pointer.now();
  if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && pointer.drag !== null) {
    pointer.drag = null;
    pointer.ignoresClick = true;
    shown.handlers.onBox(null);
    event.stopPropagation();
    return;
  }
  const asks = keyed(event.key, shown.scene.x, shown.scene.y);
  if (asks === null) return;
  event.preventDefault();
  event.stopPropagation();
  shown.handlers.onZoom(asks.x, asks.y);
  endAfterPause(pointer);
}

function endAfterPause(pointer: Pointer): void {
  clearTimeout(pointer.pause);
  pointer.pause = setTimeout(() => pointer.now()?.handlers.onGestureEnd(), PAUSE_MILLIS);
}

function zoomTo(pointer: Pointer, x: Zoom, y: Zoom): void {
  pointer.wanted = { x, y };
  schedule(pointer);
}

function schedule(pointer: Pointer): void {
  if (pointer.frame === 0) pointer.frame = requestAnimationFrame(() => flush(pointer));
}

function flush(pointer: Pointer): void {
  pointer.frame = 0;
  const shown = pointer.now();
  if (shown === null) return;
  const { wanted, hover } = pointer;
  if (wanted !== null) {
    pointer.wanted = null;
    shown.handlers.onZoom(wanted.x, wanted.y);
  }
  if (hover === "left") shown.handlers.onHover(null);
  else if (hover !== null) shown.handlers.onHover(hoverAt(pointer.element, hover, shown.layout));
  pointer.hover = null;
}

function hoverAt(element: HTMLElement, event: MouseEvent, layout: Layout): Hover | null {
  const point = pointIn(element, event);
  if (!inPlot(point, layout)) return null;
  const { clientX, clientY } = event;
  return { x: fromPx(layout.x, point.xPx), y: fromPx(layout.y, point.yPx), ...point, clientX, clientY, element };
}

function inPlot({ xPx, yPx }: Point, { plot }: Layout): boolean {
  return xPx >= plot.leftPx && xPx <= plot.rightPx && yPx >= plot.topPx && yPx <= plot.bottomPx;
}

function cursorAt(point: Point, scene: Met, layout: Layout): string {
  if (dragHandleAt(dragHandlesOf(scene, layout), layout, point.xPx, point.yPx) !== null) return "ew-resize";
  return inPlot(point, layout) ? "crosshair" : "default";
}

/** Returns the end of a box: a box along an axis stays on its line; one that begins outside of the plot stays empty. */
export function endOf({ from, only }: Drag & { readonly kind: "box" }, to: Point, layout: Layout): Point {
  if (only === "x") return { xPx: to.xPx, yPx: from.yPx };
  if (only === "y") return { xPx: from.xPx, yPx: to.yPx };
  return inPlot(from, layout) ? to : from;
}
