// Mouse, touch, wheel and keyboard on a chart, turned into ranges. Nothing is called more than once a frame.

import { type Fob, fobAt, fobsOf, moveFob } from "./fobs";
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
};

export type Handlers = {
  readonly onZoom: (x: Zoom, y: Zoom) => void;
  readonly onGestureEnd: () => void;
  readonly onHover: (hover: Hover | null) => void;
  readonly onClick: (hover: Hover, event: MouseEvent) => void;
  readonly onSelection?: ((selection: Selection | null) => void) | undefined;
  /** The box being drawn; null when there is none. */
  readonly onBox: (box: Boxed | null) => void;
  readonly onPlainWheel: () => void;
};

/** What of a scene a pointer can meet. */
export type Met = Pick<Scene, "x" | "y" | "selection" | "locale" | "widthPx">;

/** What is on screen right now; asked for at every event. Null while the chart has no size. */
export type Now = () => { readonly scene: Met; readonly layout: Layout; readonly handlers: Handlers } | null;

type Drag =
  | { readonly kind: "box"; readonly from: Point; readonly only: "x" | "y" | null; box: Boxed | null }
  | { readonly kind: "pan"; readonly from: Point; readonly x: Axis; readonly y: Axis; moved: boolean }
  | { readonly kind: "fob"; readonly fob: Fob; readonly selection: Selection }
  | { readonly kind: "pinch"; readonly from: Pinch; readonly x: Axis; readonly y: Axis };

type Pinch = { readonly xPx: number; readonly yPx: number; readonly apartPx: number };

const WHEEL_PAUSE_MILLIS = 200;

export function listenTo(element: HTMLElement, now: Now): () => void {
  let drag: Drag | null = null;
  const touches = new Map<number, Point>();
  let wheelEnd: ReturnType<typeof setTimeout> | undefined;
  // ranges asked for and not yet drawn: several wheel events of one frame add up
  let wanted: { x: Zoom; y: Zoom } | null = null;
  let hover: { event: PointerEvent } | "left" | null = null;
  let frame = 0;
  // the click that follows the release of a drag belongs to the drag
  let dragged = false;

  function schedule(): void {
    if (frame === 0) frame = requestAnimationFrame(flush);
  }

  function flush(): void {
    frame = 0;
    const shown = now();
    if (shown === null) return;
    if (wanted !== null) {
      const { x, y } = wanted;
      wanted = null;
      shown.handlers.onZoom(x, y);
    }
    if (hover === "left") shown.handlers.onHover(null);
    else if (hover !== null) shown.handlers.onHover(hoverAt(hover.event, shown.layout));
    hover = null;
  }

  function zoomTo(x: Zoom, y: Zoom): void {
    wanted = { x, y };
    schedule();
  }

  function at(event: MouseEvent): Point {
    const box = element.getBoundingClientRect();
    return { xPx: event.clientX - box.left, yPx: event.clientY - box.top };
  }

  function hoverAt(event: MouseEvent, layout: Layout): Hover | null {
    const point = at(event);
    if (!inPlot(point, layout)) return null;
    const { clientX, clientY } = event;
    return { x: fromPx(layout.x, point.xPx), y: fromPx(layout.y, point.yPx), ...point, clientX, clientY };
  }

  function onDown(event: PointerEvent): void {
    dragged = false;
    const shown = now();
    if (shown === null) return;
    const point = at(event);
    if (event.pointerType === "touch") {
      touches.set(event.pointerId, point);
      if (touches.size === 2) drag = { kind: "pinch", from: pinchOf(touches), x: shown.scene.x, y: shown.scene.y };
      return;
    }
    const panning = event.button === 1 || (event.button === 0 && (event.shiftKey || event.altKey));
    if (event.button !== 0 && !panning) return;
    if (event.button === 1) event.preventDefault(); // no scrolling by itself
    element.setPointerCapture(event.pointerId);
    drag = begin(point, panning, shown.scene, shown.layout, shown.handlers.onSelection !== undefined);
    element.style.cursor = panning ? "grabbing" : cursorAt(point, shown.scene, shown.layout);
  }

  function begin(point: Point, panning: boolean, scene: Met, layout: Layout, selectable: boolean): Drag {
    if (panning) return { kind: "pan", from: point, x: scene.x, y: scene.y, moved: false };
    const fob = selectable ? fobAt(fobsOf(scene, layout), layout, point.xPx, point.yPx) : null;
    if (fob !== null && scene.selection !== null) return { kind: "fob", fob, selection: scene.selection };
    const only = point.yPx > layout.plot.bottomPx ? "x" : point.xPx < layout.plot.leftPx ? "y" : null;
    return { kind: "box", from: point, only, box: null };
  }

  function onMove(event: PointerEvent): void {
    const shown = now();
    if (shown === null) return;
    const { scene, layout, handlers } = shown;
    const point = at(event);
    if (touches.has(event.pointerId)) touches.set(event.pointerId, point);
    switch (drag?.kind) {
      case undefined:
        if (event.pointerType !== "touch") element.style.cursor = cursorAt(point, scene, layout);
        hover = { event };
        schedule();
        return;
      case "box": {
        const to = only(drag.only, drag.from, point, layout);
        drag.box = boxBetween(drag.from, to, layout.plot);
        handlers.onBox(drag.box);
        return;
      }
      case "pan": {
        const { from, x, y } = drag;
        if (!drag.moved && Math.hypot(point.xPx - from.xPx, point.yPx - from.yPx) < CLICK_PX) return;
        drag.moved = true;
        const across = (from.xPx - point.xPx) / (layout.x.toPx - layout.x.fromPx);
        const upright = (from.yPx - point.yPx) / (layout.y.toPx - layout.y.fromPx);
        zoomTo(panned(x, across), panned(y, upright));
        return;
      }
      case "fob":
        handlers.onSelection?.(moveFob(drag.selection, drag.fob.handle, fromPx(layout.x, point.xPx), scene.x));
        return;
      case "pinch":
        if (touches.size >= 2) pinch(drag.from, pinchOf(touches), drag.x, drag.y, layout);
        return;
    }
  }

  function pinch(from: Pinch, to: Pinch, x: Axis, y: Axis, layout: Layout): void {
    const factor = Math.max(from.apartPx, 10) / Math.max(to.apartPx, 10);
    const moved = (axis: Axis, scale: Layout["x"], fromAt: number, toAt: number): Range =>
      panned(
        { ...axis, ...zoomed(axis, shareOf(scale, fromAt), factor) },
        -(shareOf(scale, toAt) - shareOf(scale, fromAt)),
      );
    zoomTo(moved(x, layout.x, from.xPx, to.xPx), moved(y, layout.y, from.yPx, to.yPx));
  }

  function onUp(event: PointerEvent): void {
    const shown = now();
    const ended = drag;
    if (touches.delete(event.pointerId) && touches.size >= 2) return;
    drag = null;
    if (ended === null || shown === null) return;
    const { layout, handlers } = shown;
    element.style.cursor = cursorAt(at(event), shown.scene, layout);
    if (ended.kind === "box") {
      handlers.onBox(null);
      if (ended.box === null) return;
      const { x, y } = rangesOf(ended.box, layout);
      if (x !== undefined || y !== undefined) handlers.onZoom(x, y);
    }
    if (ended.kind === "pan" && !ended.moved) return;
    if (wanted !== null) flush();
    handlers.onGestureEnd();
    dragged = true;
  }

  function onClick(event: MouseEvent): void {
    const shown = now();
    const follows = dragged;
    dragged = false;
    if (follows || shown === null || event.detail > 1) return;
    const point = hoverAt(event, shown.layout);
    if (point !== null) shown.handlers.onClick(point, event);
  }

  function onCancel(event: PointerEvent): void {
    touches.delete(event.pointerId);
    drag = null;
    now()?.handlers.onBox(null);
  }

  function onLeave(): void {
    if (drag !== null) return;
    hover = "left";
    schedule();
  }

  function onDoubleClick(): void {
    now()?.handlers.onZoom(null, null);
    now()?.handlers.onGestureEnd();
  }

  function onWheel(event: WheelEvent): void {
    const shown = now();
    if (shown === null) return;
    if (!event.altKey && !event.ctrlKey) {
      if (Math.abs(event.deltaY) > Math.abs(event.deltaX)) shown.handlers.onPlainWheel();
      return;
    }
    event.preventDefault();
    const { scene, layout } = shown;
    const point = at(event);
    const factor = wheelFactor(event.deltaY || event.deltaX, event.deltaMode);
    // on the labels of one axis the wheel turns that axis alone
    const x =
      point.xPx < layout.plot.leftPx
        ? undefined
        : zoomed(asked(scene.x, wanted?.x), shareOf(layout.x, point.xPx), factor);
    const y =
      point.yPx > layout.plot.bottomPx
        ? undefined
        : zoomed(asked(scene.y, wanted?.y), shareOf(layout.y, point.yPx), factor);
    zoomTo(x, y);
    clearTimeout(wheelEnd);
    wheelEnd = setTimeout(() => now()?.handlers.onGestureEnd(), WHEEL_PAUSE_MILLIS);
  }

  function onKey(event: KeyboardEvent): void {
    const shown = now();
    if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && drag !== null) {
      drag = null;
      dragged = true;
      shown.handlers.onBox(null);
      event.stopPropagation();
      return;
    }
    const asks = keyed(event.key, shown.scene.x, shown.scene.y);
    if (asks === null) return;
    event.preventDefault();
    event.stopPropagation();
    shown.handlers.onZoom(asks.x, asks.y);
    clearTimeout(wheelEnd);
    wheelEnd = setTimeout(() => now()?.handlers.onGestureEnd(), WHEEL_PAUSE_MILLIS);
  }

  // one finger scrolls the page, two are the chart's
  function onTouchMove(event: TouchEvent): void {
    if (event.touches.length >= 2 && event.cancelable) event.preventDefault();
  }

  const stop = new AbortController();
  const { signal } = stop;
  element.addEventListener("pointerdown", onDown, { signal });
  element.addEventListener("pointermove", onMove, { signal });
  element.addEventListener("pointerup", onUp, { signal });
  element.addEventListener("pointercancel", onCancel, { signal });
  element.addEventListener("pointerleave", onLeave, { signal });
  element.addEventListener("click", onClick, { signal });
  element.addEventListener("dblclick", onDoubleClick, { signal });
  element.addEventListener("wheel", onWheel, { signal, passive: false });
  element.addEventListener("keydown", onKey, { signal });
  element.addEventListener("touchmove", onTouchMove, { signal, passive: false });
  return () => {
    stop.abort();
    clearTimeout(wheelEnd);
    cancelAnimationFrame(frame);
  };
}

function asked(axis: Axis, zoom: Zoom): Axis {
  return zoom ? { ...axis, ...zoom } : axis;
}

function inPlot({ xPx, yPx }: Point, { plot }: Layout): boolean {
  return xPx >= plot.leftPx && xPx <= plot.rightPx && yPx >= plot.topPx && yPx <= plot.bottomPx;
}

function cursorAt(point: Point, scene: Met, layout: Layout): string {
  if (fobAt(fobsOf(scene, layout), layout, point.xPx, point.yPx) !== null) return "ew-resize";
  return inPlot(point, layout) ? "crosshair" : "default";
}

/** A drag that begins on the labels of an axis zooms that axis alone. */
function only(which: "x" | "y" | null, from: Point, to: Point, layout: Layout): Point {
  if (which === "x") return { xPx: to.xPx, yPx: from.yPx };
  if (which === "y") return { xPx: from.xPx, yPx: to.yPx };
  return inPlot(from, layout) ? to : from;
}

function pinchOf(touches: ReadonlyMap<number, Point>): Pinch {
  const [a, b] = [...touches.values()];
  if (a === undefined || b === undefined) return { xPx: 0, yPx: 0, apartPx: 1 };
  return { xPx: (a.xPx + b.xPx) / 2, yPx: (a.yPx + b.yPx) / 2, apartPx: Math.hypot(a.xPx - b.xPx, a.yPx - b.yPx) };
}
