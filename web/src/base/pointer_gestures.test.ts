import { expect, test } from "vitest";
import {
  type Gesture,
  keyGesture,
  NOTHING_PRESSED,
  type PointerInput,
  type PointerState,
  pinchFactor,
  recognize,
  wheelPx,
} from "./pointer_gestures";

type Input = PointerInput<string>;

const at = (xPx: number, yPx: number): { readonly xPx: number; readonly yPx: number } => ({ xPx, yPx });
const down = (id: number, x: number, y: number, drags = true): Input => ({
  kind: "down",
  id,
  at: at(x, y),
  drags,
  event: "e",
});
const later = (kind: "move" | "up" | "cancel" | "leave", id: number, x: number, y: number): Input => ({
  kind,
  id,
  at: at(x, y),
  event: "e",
});
const move = (id: number, x: number, y: number): Input => later("move", id, x, y);
const up = (id: number, x: number, y: number): Input => later("up", id, x, y);

/** Returns all gestures of a sequence of inputs, and the final state. */
function run(inputs: readonly Input[], dragFromPx = 4): { gestures: Gesture<string>[]; state: PointerState } {
  let state = NOTHING_PRESSED;
  const gestures: Gesture<string>[] = [];
  for (const input of inputs) {
    const next = recognize(state, input, dragFromPx);
    state = next.state;
    if (next.gesture !== null) gestures.push(next.gesture);
  }
  return { gestures, state };
}

const kinds = (inputs: readonly Input[], dragFromPx = 4): string[] =>
  run(inputs, dragFromPx).gestures.map((gesture) => gesture.kind);

test("a pointer that is not pressed hovers and leaves", () => {
  const { gestures, state } = run([move(1, 3, 4), later("leave", 1, 9, 9)]);
  expect(gestures).toEqual([
    { kind: "hover", at: at(3, 4), event: "e" },
    { kind: "leave", at: at(9, 9), event: "e" },
  ]);
  expect(state).toBe(NOTHING_PRESSED);
});

test("a press that trembles is a click", () => {
  const { gestures, state } = run([down(1, 10, 10), move(1, 12, 12), move(1, 9, 9), up(1, 11, 10)]);
  expect(gestures).toEqual([
    { kind: "press", at: at(10, 10), event: "e" },
    { kind: "release", from: at(10, 10), at: at(11, 10), dragged: false, cancelled: false, event: "e" },
  ]);
  expect(state).toBe(NOTHING_PRESSED);
});

test("a drag begins with the whole way since the press, then goes on by steps", () => {
  const { gestures } = run([down(1, 10, 10), move(1, 12, 10), move(1, 14, 10), move(1, 15, 10), up(1, 15, 10)]);
  expect(gestures.slice(1)).toEqual([
    { kind: "drag", from: at(10, 10), before: at(10, 10), at: at(14, 10), event: "e" },
    { kind: "drag", from: at(10, 10), before: at(14, 10), at: at(15, 10), event: "e" },
    { kind: "release", from: at(10, 10), at: at(15, 10), dragged: true, cancelled: false, event: "e" },
  ]);
});

test("a drag that comes back to where it began is still a drag", () => {
  const { gestures } = run([down(1, 0, 0), move(1, 9, 0), move(1, 0, 0), up(1, 0, 0)]);
  expect(gestures.map((gesture) => gesture.kind)).toEqual(["press", "drag", "drag", "release"]);
  expect(gestures[3]).toMatchObject({ dragged: true });
});

test("without a threshold every move drags", () => {
  expect(kinds([down(1, 0, 0), move(1, 0, 0), move(1, 1, 0)], 0)).toEqual(["press", "drag", "drag"]);
});

test("a pointer that the browser takes away is released as cancelled", () => {
  const { gestures, state } = run([down(1, 0, 0), move(1, 9, 0), later("cancel", 1, 9, 0)]);
  expect(gestures[2]).toEqual({
    kind: "release",
    from: at(0, 0),
    at: at(9, 0),
    dragged: true,
    cancelled: true,
    event: "e",
  });
  expect(state).toBe(NOTHING_PRESSED);
});

test("the release of a pointer that was never pressed says nothing", () => {
  const before = run([down(1, 0, 0)]).state;
  expect(recognize(before, up(2, 5, 5), 4)).toEqual({ state: before, gesture: null });
});

test("two pointers pinch around their middle", () => {
  const { gestures } = run([down(1, 0, 0), down(2, 20, 0), move(2, 40, 0), move(1, -20, 0)]);
  const from = { xPx: 10, yPx: 0, apartPx: 20 };
  const wide = { xPx: 20, yPx: 0, apartPx: 40 };
  expect(gestures.slice(1)).toEqual([
    { kind: "pinch-start", from, event: "e" },
    { kind: "pinch", from, before: from, to: wide, event: "e" },
    { kind: "pinch", from, before: wide, to: { xPx: 10, yPx: 0, apartPx: 60 }, event: "e" },
  ]);
});

test("after a pinch the other pointer drags at once, from where it is, and makes no click", () => {
  const { gestures } = run([down(1, 0, 0), down(2, 20, 0), up(1, 0, 0), move(2, 21, 0), up(2, 21, 0)]);
  expect(gestures.slice(2)).toEqual([
    { kind: "pinch-end", at: at(0, 0), cancelled: false, event: "e" },
    { kind: "drag", from: at(20, 0), before: at(20, 0), at: at(21, 0), event: "e" },
    { kind: "release", from: at(20, 0), at: at(21, 0), dragged: true, cancelled: false, event: "e" },
  ]);
});

test("a pinch can be cancelled", () => {
  const { gestures } = run([down(1, 0, 0), down(2, 20, 0), later("cancel", 2, 20, 0)]);
  expect(gestures[2]).toMatchObject({ kind: "pinch-end", cancelled: true });
});

test("a third pointer changes nothing until one of the first two goes up", () => {
  const three = [down(1, 0, 0), down(2, 20, 0), down(3, 100, 0), move(3, 110, 0)];
  expect(kinds(three)).toEqual(["press", "pinch-start"]);
  expect(kinds([...three, up(3, 110, 0), move(2, 30, 0)])).toEqual(["press", "pinch-start", "pinch"]);
  const { gestures } = run([...three, up(1, 0, 0), move(3, 120, 0)]);
  const from = { xPx: 65, yPx: 0, apartPx: 90 };
  expect(gestures.slice(2)).toEqual([
    { kind: "pinch-start", from, event: "e" },
    { kind: "pinch", from, before: from, to: { xPx: 70, yPx: 0, apartPx: 100 }, event: "e" },
  ]);
});

test("a finger that only pinches hovers when it is alone", () => {
  const finger = (id: number, x: number): Input => down(id, x, 0, false);
  expect(kinds([finger(1, 0), move(1, 50, 0), up(1, 50, 0)], 0)).toEqual(["press", "hover", "release"]);
  expect(kinds([finger(1, 0), finger(2, 50), move(2, 60, 0), up(2, 60, 0), move(1, 9, 0)], 0)).toEqual([
    "press",
    "pinch-start",
    "pinch",
    "pinch-end",
    "hover",
  ]);
});

test("a pointer that goes down twice is one pointer", () => {
  const { state } = run([down(1, 0, 0), down(1, 5, 5)]);
  expect(state.pressed.map(({ id }) => id)).toEqual([1]);
  expect(state.from).toEqual(at(5, 5));
});

test("fingers that nearly touch do not zoom", () => {
  const apart = (apartPx: number): { xPx: number; yPx: number; apartPx: number } => ({ ...at(0, 0), apartPx });
  expect(pinchFactor(apart(20), apart(40))).toBe(2);
  expect(pinchFactor(apart(1), apart(9))).toBe(1);
});

test("a wheel counts in pixels, lines or pages", () => {
  expect([0, 1, 2].map((deltaMode) => wheelPx({ deltaMode }, 3, 20))).toEqual([3, 60, 1200]);
});

test("keys move, zoom, reset and clear; with Ctrl, Alt or Meta they are the browser's", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  const asked = (key: string): unknown => keyGesture({ ...plain, key });
  expect(asked("ArrowLeft")).toEqual({ kind: "arrow", x: -1, y: 0 });
  expect(asked("ArrowDown")).toEqual({ kind: "arrow", x: 0, y: 1 });
  expect(asked("=")).toEqual({ kind: "zoom", nearer: true });
  expect(asked("-")).toEqual({ kind: "zoom", nearer: false });
  expect(asked("0")).toEqual({ kind: "reset" });
  expect(asked("Escape")).toEqual({ kind: "clear" });
  expect(asked("a")).toBeNull();
  for (const held of ["ctrlKey", "metaKey", "altKey"])
    expect(keyGesture({ ...plain, key: "0", [held]: true })).toBeNull();
});
