// Recognizes gestures of pointers: hover, press, drag, pinch, release. It is a reducer: a state and one pointer event
// give the next state and at most one gesture. It does not use the DOM; chart/gesture_listener.ts passes the events,
// and each view decides what a gesture does.
//
//   pressed   gesture of a move                          gesture of a press or a release
//   0         hover                                      press when the first pointer is pressed
//   1         nothing up to `dragFromPx`, then drag      release when the last one is released
//   2, more   pinch, between the two pressed first       pinch-start, pinch-end
//
// After a pinch, the remaining pointer drags immediately, from its current position.

export type Point = { readonly xPx: number; readonly yPx: number };

/** The middle between two pointers and their distance. */
export type Pinch = Point & { readonly apartPx: number };

type Pressed = {
  readonly id: number;
  readonly at: Point;
  /** False: this pointer alone only hovers, as a finger that scrolls the page. */
  readonly drags: boolean;
};

export type PointerState = {
  /** In the order in which they were pressed. `at` stays at the press position until the drag begins. */
  readonly pressed: readonly Pressed[];
  /** Start position of the drag. Null while nothing is pressed. */
  readonly from: Point | null;
  /** Start position of the pinch. Null unless two pointers are pressed. */
  readonly pinchFrom: Pinch | null;
  /** True from the first drag or pinch until the last pointer is released. */
  readonly dragging: boolean;
};

export const NOTHING_PRESSED: PointerState = { pressed: [], from: null, pinchFrom: null, dragging: false };

/** `event` is passed through to the gesture: the recognizer does not read it. */
export type PointerInput<E> =
  | { readonly kind: "down"; readonly id: number; readonly at: Point; readonly drags: boolean; readonly event: E }
  | { readonly kind: "move" | "up" | "cancel" | "leave"; readonly id: number; readonly at: Point; readonly event: E };

export type Gesture<E> =
  | { readonly kind: "hover" | "leave" | "press"; readonly at: Point; readonly event: E }
  | { readonly kind: "drag"; readonly from: Point; readonly before: Point; readonly at: Point; readonly event: E }
  | { readonly kind: "pinch-start"; readonly from: Pinch; readonly event: E }
  | { readonly kind: "pinch"; readonly from: Pinch; readonly before: Pinch; readonly to: Pinch; readonly event: E }
  | { readonly kind: "pinch-end"; readonly at: Point; readonly cancelled: boolean; readonly event: E }
  | {
      readonly kind: "release";
      /** Position of the press, or of the pointer when the pinch ended. */
      readonly from: Point;
      readonly at: Point;
      /** False: the pointer did not move, so this is a click. */
      readonly dragged: boolean;
      /** The browser canceled the pointer. */
      readonly cancelled: boolean;
      readonly event: E;
    };

export type Recognized<E> = { readonly state: PointerState; readonly gesture: Gesture<E> | null };

export function recognize<E>(state: PointerState, input: PointerInput<E>, dragFromPx: number): Recognized<E> {
  switch (input.kind) {
    case "down":
      return pressed(state, input);
    case "move":
      return moved(state, input, dragFromPx);
    case "leave":
      return { state, gesture: { kind: "leave", at: input.at, event: input.event } };
    case "up":
    case "cancel":
      return released(state, input);
  }
}

function pressed<E>(state: PointerState, input: PointerInput<E> & { readonly kind: "down" }): Recognized<E> {
  const { id, at, drags, event } = input;
  const all = [...state.pressed.filter((one) => one.id !== id), { id, at, drags }];
  if (all.length === 1) {
    const first = { pressed: all, from: at, pinchFrom: null, dragging: false };
    return { state: first, gesture: { kind: "press", at, event } };
  }
  const from = state.pinchFrom ?? pinchOf(all);
  const next = { pressed: all, from: state.from, pinchFrom: from, dragging: true };
  return { state: next, gesture: state.pinchFrom === null ? { kind: "pinch-start", from, event } : null };
}

function moved<E>(state: PointerState, { id, at, event }: PointerInput<E>, dragFromPx: number): Recognized<E> {
  const index = state.pressed.findIndex((one) => one.id === id);
  const own = state.pressed[index];
  if (own === undefined) return { state, gesture: { kind: "hover", at, event } };
  const all = state.pressed.map((one) => (one === own ? { ...own, at } : one));
  if (state.pinchFrom !== null) {
    const [before, to] = [pinchOf(state.pressed), pinchOf(all)];
    const gesture = index < 2 ? ({ kind: "pinch", from: state.pinchFrom, before, to, event } as const) : null;
    return { state: { ...state, pressed: all }, gesture };
  }
  if (!own.drags) return { state: { ...state, pressed: all }, gesture: { kind: "hover", at, event } };
  const from = state.from ?? own.at;
  if (!state.dragging && distance(from, at) < dragFromPx) return { state, gesture: null };
  return {
    state: { ...state, pressed: all, dragging: true },
    gesture: { kind: "drag", from, before: own.at, at, event },
  };
}

function released<E>(state: PointerState, { kind, id, at, event }: PointerInput<E>): Recognized<E> {
  const left = state.pressed.filter((one) => one.id !== id);
  const cancelled = kind === "cancel";
  const [first] = left;
  if (left.length === state.pressed.length) return { state, gesture: null };
  if (first === undefined) {
    const from = state.from ?? at;
    return {
      state: NOTHING_PRESSED,
      gesture: { kind: "release", from, at, dragged: state.dragging, cancelled, event },
    };
  }
  if (left.length === 1) {
    const next = { pressed: left, from: first.at, pinchFrom: null, dragging: true };
    return { state: next, gesture: { kind: "pinch-end", at, cancelled, event } };
  }
  // another pair of fingers pinches now: start a new pinch
  const from = pinchOf(left);
  const same = state.pressed[0] === left[0] && state.pressed[1] === left[1];
  if (same) return { state: { ...state, pressed: left }, gesture: null };
  return { state: { ...state, pressed: left, pinchFrom: from }, gesture: { kind: "pinch-start", from, event } };
}

function pinchOf(all: readonly Pressed[]): Pinch {
  const [a, b] = all;
  if (a === undefined || b === undefined) return { xPx: 0, yPx: 0, apartPx: 1 };
  return {
    xPx: (a.at.xPx + b.at.xPx) / 2,
    yPx: (a.at.yPx + b.at.yPx) / 2,
    apartPx: distance(a.at, b.at),
  };
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.xPx - b.xPx, a.yPx - b.yPx);
}

// smaller distances between fingers would give extreme zoom factors
const NEAREST_PX = 10;

/** Returns the ratio of the distances between the fingers: 2 if they are twice as far apart. */
export function pinchFactor(from: Pinch, to: Pinch): number {
  return Math.max(to.apartPx, NEAREST_PX) / Math.max(from.apartPx, NEAREST_PX);
}

const PAGE_PX = 400;

type Wheel = { readonly deltaMode: number };

/** Converts a delta of a wheel event to pixels: browsers count in pixels (0), lines (1) or pages (2). */
export function wheelPx({ deltaMode }: Wheel, delta: number, linePx: number): number {
  return delta * (deltaMode === 1 ? linePx : deltaMode === 2 ? PAGE_PX : 1);
}

export type KeyGesture =
  /** -1, 0 or 1 each; down is 1, as in pixel coordinates. */
  | { readonly kind: "arrow"; readonly x: number; readonly y: number }
  | { readonly kind: "zoom"; readonly nearer: boolean }
  | { readonly kind: "reset" }
  | { readonly kind: "clear" };

const KEYS: Readonly<Record<string, KeyGesture>> = {
  ArrowLeft: { kind: "arrow", x: -1, y: 0 },
  ArrowRight: { kind: "arrow", x: 1, y: 0 },
  ArrowUp: { kind: "arrow", x: 0, y: -1 },
  ArrowDown: { kind: "arrow", x: 0, y: 1 },
  "+": { kind: "zoom", nearer: true },
  "=": { kind: "zoom", nearer: true },
  "-": { kind: "zoom", nearer: false },
  _: { kind: "zoom", nearer: false },
  "0": { kind: "reset" },
  Escape: { kind: "clear" },
};

type Key = { readonly key: string; readonly ctrlKey: boolean; readonly metaKey: boolean; readonly altKey: boolean };

/** Returns the gesture of a key on a view that can be moved. Null: another key, or pressed with Ctrl, Alt or Meta. */
export function keyGesture({ key, ctrlKey, metaKey, altKey }: Key): KeyGesture | null {
  return ctrlKey || metaKey || altKey ? null : (KEYS[key] ?? null);
}
