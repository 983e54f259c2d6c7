// Binds the gesture recognizer to an element: it listens, captures pointers, and prevents scrolling if the view has
// handled the event. The view decides what a gesture does.

import {
  type Gesture,
  NOTHING_PRESSED,
  type Point,
  type PointerInput,
  type PointerState,
  recognize,
} from "../base/pointer_gestures";

export type View = {
  /** A press that moves less than this is a click. 0: every move of a pressed pointer is a drag. */
  readonly dragFromPx: number;
  /** Which gestures a pressed pointer may start. "pinch": only together with another pointer; it is not captured. */
  readonly accept: (event: PointerEvent) => "drag" | "pinch" | "ignore";
  readonly onGesture: (gesture: Gesture<PointerEvent>) => void;
  /** True: handled, the page does not scroll. */
  readonly onWheel: (event: WheelEvent, at: Point) => boolean;
  readonly onDoubleClick: (event: MouseEvent, at: Point) => void;
  readonly onKey?: ((event: KeyboardEvent) => void) | undefined;
  readonly onClick?: ((event: MouseEvent, at: Point) => void) | undefined;
  /** True: handled, the browser does not show its own menu. */
  readonly onMenu?: ((event: MouseEvent, at: Point) => boolean) | undefined;
  /**
   * One finger scrolls the page, two fingers are gestures of the view. Not needed if style sheets disable touch
   * scrolling.
   */
  readonly scrollsByTouch?: boolean | undefined;
};

/** Returns the position in pixels from the upper left corner of the element. */
export function pointIn(element: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { xPx: clientX - left, yPx: clientY - top };
}

/** Returns a function that stops listening. */
export function listenTo(element: HTMLElement, view: View): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const at = (event: MouseEvent): Point => pointIn(element, event);
  listenToPointers(element, view, signal);
  const { onClick, onMenu, onKey } = view;
  const active = { signal, passive: false };
  element.addEventListener("dblclick", (event) => view.onDoubleClick(event, at(event)), { signal });
  element.addEventListener("wheel", (event) => take(event, view.onWheel(event, at(event))), active);
  if (onClick !== undefined) element.addEventListener("click", (event) => onClick(event, at(event)), { signal });
  if (onMenu !== undefined) {
    element.addEventListener("contextmenu", (event) => take(event, onMenu(event, at(event))), active);
  }
  if (onKey !== undefined) element.addEventListener("keydown", (event) => onKey(event), { signal });
  if (view.scrollsByTouch) element.addEventListener("touchmove", keepTwoFingers, active);
  return () => stop.abort();
}

function take(event: Event, taken: boolean): void {
  if (taken) event.preventDefault();
}

function listenToPointers(element: HTMLElement, view: View, signal: AbortSignal): void {
  let state: PointerState = NOTHING_PRESSED;
  const feed = (input: PointerInput<PointerEvent>): void => {
    const next = recognize(state, input, view.dragFromPx);
    state = next.state;
    if (next.gesture !== null) view.onGesture(next.gesture);
  };
  const onDown = (event: PointerEvent): void => {
    const accepted = view.accept(event);
    if (accepted === "ignore") return;
    const drags = accepted === "drag";
    if (drags) element.setPointerCapture(event.pointerId);
    feed({ kind: "down", id: event.pointerId, at: pointIn(element, event), drags, event });
  };
  element.addEventListener("pointerdown", onDown, { signal });
  const on = (name: "pointermove" | "pointerup" | "pointercancel" | "pointerleave", kind: Later): void =>
    element.addEventListener(name, (event) => feed({ kind, id: event.pointerId, at: pointIn(element, event), event }), {
      signal,
    });
  on("pointermove", "move");
  on("pointerup", "up");
  on("pointercancel", "cancel");
  on("pointerleave", "leave");
}

type Later = Exclude<PointerInput<PointerEvent>["kind"], "down">;

function keepTwoFingers(event: TouchEvent): void {
  if (event.touches.length >= 2 && event.cancelable) event.preventDefault();
}
