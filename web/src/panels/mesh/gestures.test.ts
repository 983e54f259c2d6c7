import { expect, test } from "vitest";
import type { Gesture } from "../../base/pointer_gestures";
import type { View } from "../../chart/gesture_listener";
import { gesturesOf, type Moves } from "./gestures";

/** Records every call as its name and arguments. */
function opened(wheelAlways = false): { view: View; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const moves = new Proxy({} as Moves, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        calls.push([name, ...args]),
  });
  return { view: gesturesOf(moves, () => wheelAlways), calls };
}

const point = (xPx: number, yPx: number): { readonly xPx: number; readonly yPx: number } => ({ xPx, yPx });

function drag(event: Partial<PointerEvent>): Gesture<PointerEvent> {
  const [from, at] = [point(0, 0), point(3, 4)];
  return { kind: "drag", from, before: from, at, event: { shiftKey: false, buttons: 1, ...event } as PointerEvent };
}

function wheel(event: Partial<WheelEvent>): WheelEvent {
  return { ctrlKey: false, altKey: false, deltaY: 100, deltaMode: 0, ...event } as WheelEvent;
}

test("the left button rotates; Shift, the right and the middle button move", () => {
  const { view, calls } = opened();
  for (const event of [{}, { shiftKey: true }, { buttons: 2 }, { buttons: 4 }]) view.onGesture(drag(event));
  expect(calls).toEqual([
    ["rotate", 3, 4],
    ["move", 3, 4],
    ["move", 3, 4],
    ["move", 3, 4],
  ]);
});

test("two fingers zoom and move", () => {
  const { view, calls } = opened();
  const before = { ...point(0, 0), apartPx: 20 };
  const event = {} as PointerEvent;
  view.onGesture({ kind: "pinch", from: before, before, to: { ...point(5, 0), apartPx: 40 }, event });
  expect(calls).toEqual([
    ["zoom", 0.5],
    ["move", 5, 0],
  ]);
});

test("a press holds until the release", () => {
  const { view, calls } = opened();
  const event = {} as PointerEvent;
  view.onGesture({ kind: "press", at: point(0, 0), event });
  view.onGesture({ kind: "release", from: point(0, 0), at: point(0, 0), dragged: false, cancelled: false, event });
  expect(calls).toEqual([
    ["hold", true],
    ["hold", false],
  ]);
});

test("the wheel scrolls the page, unless it is held with Ctrl or the mesh has the focus", () => {
  const { view, calls } = opened();
  expect(view.onWheel(wheel({}), point(0, 0))).toBe(false);
  expect(calls).toEqual([]);
  expect(view.onWheel(wheel({ ctrlKey: true }), point(0, 0))).toBe(true);
  expect(opened(true).view.onWheel(wheel({}), point(0, 0))).toBe(true);
});

test("keys rotate, move, zoom and reset; Escape is not the mesh's", () => {
  const { view, calls } = opened();
  const prevented: string[] = [];
  const press = (key: string, shiftKey = false): void => {
    const event = {
      key,
      shiftKey,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      preventDefault: () => prevented.push(key),
    };
    view.onKey?.(event as unknown as KeyboardEvent);
  };
  press("ArrowLeft");
  press("ArrowUp", true);
  press("+");
  press("0");
  press("Escape");
  expect(calls).toEqual([["rotate", -18, 0], ["move", 0, -18], ["zoom", 1 / 1.15], ["reset"]]);
  expect(prevented).toEqual(["ArrowLeft", "ArrowUp", "+", "0"]);
});
