// Maps gestures to camera moves. One finger or the left button rotates; two fingers, the right or middle button, or
// Shift pan; pinch and wheel zoom.

import { type Gesture, keyGesture, pinchFactor, wheelPx } from "../../base/pointer_gestures";
import type { View } from "../../chart/gesture_listener";

export type Moves = {
  readonly rotate: (dx: number, dy: number) => void;
  readonly move: (dx: number, dy: number) => void;
  /** A factor below 1 moves nearer. */
  readonly zoom: (factor: number) => void;
  readonly reset: () => void;
  /** True when a pointer is pressed, false when none is pressed any more. */
  readonly hold: (held: boolean) => void;
};

const ZOOM_PER_PX = 0.0015;
const LINE_PX = 20;
const KEY_PX = 18;
const KEY_ZOOM = 1.15;
// bits of PointerEvent.buttons: right and middle
const MOVING_BUTTONS = 6;

/** `wheelAlways`: the wheel also zooms without Ctrl. */
export function gesturesOf(moves: Moves, wheelAlways: () => boolean): View {
  return {
    dragFromPx: 0,
    accept: ({ button }) => (button > 2 ? "ignore" : "drag"),
    onGesture: (gesture) => onGesture(moves, gesture),
    onDoubleClick: () => moves.reset(),
    onMenu: () => true,
    onWheel: (event) => {
      // the wheel must scroll the page when the pointer is over a card
      if (!event.ctrlKey && !event.altKey && !wheelAlways()) return false;
      moves.zoom(Math.exp(ZOOM_PER_PX * wheelPx(event, event.deltaY, LINE_PX)));
      return true;
    },
    onKey: (event) => {
      if (onKey(moves, event)) event.preventDefault();
    },
  };
}

function onGesture(moves: Moves, gesture: Gesture<PointerEvent>): void {
  switch (gesture.kind) {
    case "press":
      moves.hold(true);
      return;
    case "drag": {
      const { before, at, event } = gesture;
      const moving = event.shiftKey || (event.buttons & MOVING_BUTTONS) !== 0;
      (moving ? moves.move : moves.rotate)(at.xPx - before.xPx, at.yPx - before.yPx);
      return;
    }
    case "pinch": {
      const { before, to } = gesture;
      moves.zoom(1 / pinchFactor(before, to));
      moves.move(to.xPx - before.xPx, to.yPx - before.yPx);
      return;
    }
    case "release":
      moves.hold(false);
      return;
    default:
      return;
  }
}

function onKey(moves: Moves, event: KeyboardEvent): boolean {
  const asked = keyGesture(event);
  switch (asked?.kind) {
    case "arrow":
      (event.shiftKey ? moves.move : moves.rotate)(KEY_PX * asked.x, KEY_PX * asked.y);
      return true;
    case "zoom":
      moves.zoom(asked.nearer ? 1 / KEY_ZOOM : KEY_ZOOM);
      return true;
    case "reset":
      moves.reset();
      return true;
    default:
      return false;
  }
}
