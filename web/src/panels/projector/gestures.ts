// Maps gestures over the points to actions. The left button rotates (pans a flat cloud), the right button or Ctrl pans;
// Shift or the box tool drags a box; pinch and wheel zoom; a press without movement is a click.

import { type Gesture, keyGesture, type Point, pinchFactor, wheelPx } from "../../base/pointer_gestures";
import type { View } from "../../chart/gesture_listener";

/** Left, top, right, bottom, in any order of the corners. */
export type Box = readonly [number, number, number, number];

export type Moves = {
  readonly turn: (dx: number, dy: number) => void;
  readonly move: (dx: number, dy: number) => void;
  /** A factor below 1 zooms in, toward a position on the canvas. */
  readonly zoom: (factor: number, x: number, y: number) => void;
  readonly reset: () => void;
  readonly click: (x: number, y: number, add: boolean) => void;
  readonly hover: (x: number, y: number) => void;
  readonly leave: () => void;
  /** Null: no box. `done`: the button was released. */
  readonly box: (box: Box | null, done: boolean) => void;
  readonly clear: () => void;
  readonly hold: (held: boolean) => void;
};

const ZOOM_PER_PX = 0.0015;
const LINE_PX = 20;
const KEY_PX = 22;
const KEY_ZOOM = 1.2;
// smaller movements during a press are ignored
const DRAG_FROM_PX = 4;
// bits of PointerEvent.buttons: right and middle
const MOVING_BUTTONS = 6;

/** `boxing`: returns true if dragging selects. */
export function gesturesOf(element: HTMLElement, moves: Moves, boxing: () => boolean): View {
  return {
    dragFromPx: DRAG_FROM_PX,
    accept: (event) => (event.button > 2 || event.target instanceof HTMLButtonElement ? "ignore" : "drag"),
    onGesture: pointerGestures(moves, boxing),
    onDoubleClick: (event) => {
      if (!(event.target instanceof HTMLButtonElement)) moves.reset();
    },
    onMenu: () => true,
    onWheel: (event, at) => {
      moves.zoom(Math.exp(ZOOM_PER_PX * wheelPx(event, event.deltaY, LINE_PX)), at.xPx, at.yPx);
      return true;
    },
    onKey: (event) => {
      if (event.target !== element || !onKey(element, moves, event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

function pointerGestures(moves: Moves, boxing: () => boolean): (gesture: Gesture<PointerEvent>) => void {
  // first corner of the box being dragged; set on pointerdown
  let corner: Point | null = null;
  return (gesture) => {
    switch (gesture.kind) {
      case "press": {
        const { event, at } = gesture;
        corner = event.button === 0 && (event.shiftKey || boxing()) ? at : null;
        moves.hold(true);
        return;
      }
      case "hover":
        if (gesture.event.pointerType !== "touch") moves.hover(gesture.at.xPx, gesture.at.yPx);
        return;
      case "leave":
        moves.leave();
        return;
      case "drag":
        if (corner === null) onDrag(moves, gesture);
        else moves.box(boxOf(corner, gesture.at), false);
        return;
      case "pinch-start":
        corner = null;
        moves.box(null, false);
        return;
      case "pinch":
        onPinch(moves, gesture);
        return;
      case "release":
        moves.hold(false);
        onRelease(moves, corner, gesture);
        corner = null;
        return;
      default:
        return;
    }
  };
}

function onDrag(moves: Moves, { before, at, event }: Gesture<PointerEvent> & { readonly kind: "drag" }): void {
  const moving = event.ctrlKey || event.metaKey || (event.buttons & MOVING_BUTTONS) !== 0;
  (moving ? moves.move : moves.turn)(at.xPx - before.xPx, at.yPx - before.yPx);
}

function onPinch(moves: Moves, { before, to }: Gesture<PointerEvent> & { readonly kind: "pinch" }): void {
  moves.zoom(1 / pinchFactor(before, to), to.xPx, to.yPx);
  moves.move(to.xPx - before.xPx, to.yPx - before.yPx);
}

function onRelease(
  moves: Moves,
  corner: Point | null,
  { at, dragged, cancelled, event }: Gesture<PointerEvent> & { readonly kind: "release" },
): void {
  if (corner !== null && dragged) moves.box(cancelled ? null : boxOf(corner, at), !cancelled);
  else if (!dragged && !cancelled && event.button === 0) {
    moves.click(at.xPx, at.yPx, event.ctrlKey || event.metaKey);
  }
}

function boxOf(corner: Point, at: Point): Box {
  return [corner.xPx, corner.yPx, at.xPx, at.yPx];
}

function onKey(element: HTMLElement, moves: Moves, event: KeyboardEvent): boolean {
  const asked = keyGesture(event);
  switch (asked?.kind) {
    case "arrow":
      (event.shiftKey ? moves.move : moves.turn)(KEY_PX * asked.x, KEY_PX * asked.y);
      return true;
    case "zoom":
      moves.zoom(asked.nearer ? 1 / KEY_ZOOM : KEY_ZOOM, element.clientWidth / 2, element.clientHeight / 2);
      return true;
    case "reset":
      moves.reset();
      return true;
    case "clear":
      moves.clear();
      return true;
    default:
      return false;
  }
}
