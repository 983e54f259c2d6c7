// Maps gestures on the graph to calls. Positions are pixels from the upper left corner of the view.

import { type Gesture, pinchFactor, wheelPx } from "../../base/pointer_gestures";
import type { View } from "../../chart/gesture_listener";

export type Moves = {
  readonly move: (dxPx: number, dyPx: number) => void;
  /** A factor above 1 zooms in. */
  readonly zoom: (factor: number, xPx: number, yPx: number) => void;
  readonly hover: (xPx: number, yPx: number) => void;
  readonly leave: () => void;
  readonly click: (xPx: number, yPx: number) => void;
  readonly doubleClick: (xPx: number, yPx: number) => void;
  /** Also gets the position in the window. Returns false if there is no node. */
  readonly menu: (xPx: number, yPx: number, windowX: number, windowY: number) => boolean;
};

// smaller movements during a press are ignored
const DRAG_FROM_PX = 4;
const ZOOM_PER_PX = 0.0018;
const LINE_PX = 18;
const MOST_STEP_PX = 240;

export function gesturesOf(element: HTMLElement, moves: Moves): View {
  return {
    dragFromPx: DRAG_FROM_PX,
    accept: ({ button }) => (button === 0 ? "drag" : "ignore"),
    onGesture: (gesture) => onGesture(element, moves, gesture),
    onDoubleClick: (_, { xPx, yPx }) => moves.doubleClick(xPx, yPx),
    onMenu: ({ clientX, clientY }, { xPx, yPx }) => moves.menu(xPx, yPx, clientX, clientY),
    onWheel: (event, { xPx, yPx }) => {
      const px = (delta: number): number => wheelPx(event, delta, LINE_PX);
      // Shift and wheel scroll horizontally, as in browsers
      if (event.shiftKey) moves.move(-px(event.deltaX || event.deltaY), 0);
      else {
        const step = Math.max(-MOST_STEP_PX, Math.min(MOST_STEP_PX, px(event.deltaY)));
        moves.zoom(Math.exp(-step * ZOOM_PER_PX * (event.ctrlKey ? 4 : 1)), xPx, yPx);
      }
      return true;
    },
  };
}

function onGesture(element: HTMLElement, moves: Moves, gesture: Gesture<PointerEvent>): void {
  switch (gesture.kind) {
    case "press":
      element.focus({ preventScroll: true });
      return;
    case "hover":
      if (gesture.event.target instanceof HTMLCanvasElement) moves.hover(gesture.at.xPx, gesture.at.yPx);
      return;
    case "leave":
      moves.leave();
      return;
    case "drag": {
      const { before, at } = gesture;
      element.dataset.dragging = "";
      moves.move(at.xPx - before.xPx, at.yPx - before.yPx);
      return;
    }
    case "pinch": {
      const { before, to } = gesture;
      moves.zoom(pinchFactor(before, to), to.xPx, to.yPx);
      moves.move(to.xPx - before.xPx, to.yPx - before.yPx);
      return;
    }
    case "pinch-end":
      delete element.dataset.dragging;
      return;
    case "release":
      delete element.dataset.dragging;
      if (!gesture.dragged && !gesture.cancelled) moves.click(gesture.from.xPx, gesture.from.yPx);
      return;
    default:
      return;
  }
}
