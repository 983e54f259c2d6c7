import { beforeAll, expect, test, vi } from "vitest";
import type { Gesture } from "../../base/pointer_gestures";
import type { View } from "../../chart/gesture_listener";
import { gesturesOf, type Moves } from "./gestures";

class FakeCanvas {}

beforeAll(() => {
  vi.stubGlobal("HTMLCanvasElement", FakeCanvas);
});

type Element = { readonly dataset: Record<string, string>; focused: number };

/** Records every call as its name and arguments. */
function opened(): { view: View; calls: unknown[][]; element: Element } {
  const calls: unknown[][] = [];
  const moves = new Proxy({} as Moves, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        calls.push([name, ...args]),
  });
  const element = {
    dataset: {},
    focused: 0,
    focus(): void {
      this.focused += 1;
    },
  };
  return { view: gesturesOf(element as unknown as HTMLElement, moves), calls, element };
}

const point = (xPx: number, yPx: number): { readonly xPx: number; readonly yPx: number } => ({ xPx, yPx });
const event = { target: null } as unknown as PointerEvent;

function release(dragged: boolean, cancelled = false): Gesture<PointerEvent> {
  return { kind: "release", from: point(1, 2), at: point(3, 2), dragged, cancelled, event };
}

function wheel(members: Partial<WheelEvent>): WheelEvent {
  return { shiftKey: false, ctrlKey: false, deltaX: 0, deltaY: 0, deltaMode: 0, ...members } as WheelEvent;
}

test("a press takes the focus, and a click is where it was pressed", () => {
  const { view, calls, element } = opened();
  view.onGesture({ kind: "press", at: point(1, 2), event });
  view.onGesture(release(false));
  expect(element.focused).toBe(1);
  expect(calls).toEqual([["click", 1, 2]]);
});

test("a drag moves and is no click; neither is what the browser cancels", () => {
  const { view, calls, element } = opened();
  view.onGesture({ kind: "drag", from: point(0, 0), before: point(0, 0), at: point(5, 6), event });
  expect("dragging" in element.dataset).toBe(true);
  view.onGesture(release(true));
  expect("dragging" in element.dataset).toBe(false);
  view.onGesture(release(false, true));
  expect(calls).toEqual([["move", 5, 6]]);
});

test("only the canvas is hovered, not what lies over it", () => {
  const { view, calls } = opened();
  view.onGesture({ kind: "hover", at: point(1, 1), event });
  view.onGesture({ kind: "hover", at: point(1, 1), event: { target: new FakeCanvas() } as unknown as PointerEvent });
  view.onGesture({ kind: "leave", at: point(1, 1), event });
  expect(calls).toEqual([["hover", 1, 1], ["leave"]]);
});

test("two fingers zoom around their middle and move", () => {
  const { view, calls } = opened();
  const before = { ...point(0, 0), apartPx: 20 };
  view.onGesture({ kind: "pinch", from: before, before, to: { ...point(5, 0), apartPx: 40 }, event });
  expect(calls).toEqual([
    ["zoom", 2, 5, 0],
    ["move", 5, 0],
  ]);
});

test("the wheel zooms, with Shift it moves sideways", () => {
  const { view, calls } = opened();
  expect(view.onWheel(wheel({ deltaY: -100 }), point(7, 8))).toBe(true);
  view.onWheel(wheel({ deltaY: 30, shiftKey: true }), point(7, 8));
  view.onWheel(wheel({ deltaY: 3, deltaMode: 1, shiftKey: true }), point(7, 8));
  expect(calls).toEqual([
    ["zoom", Math.exp(0.18), 7, 8],
    ["move", -30, 0],
    ["move", -54, 0],
  ]);
});

test("one turn of the wheel zooms by so much at most", () => {
  const { view, calls } = opened();
  view.onWheel(wheel({ deltaY: 240 }), point(0, 0));
  view.onWheel(wheel({ deltaY: 5000 }), point(0, 0));
  expect(calls[1]).toEqual(calls[0]);
});
