import { expect, test } from "vitest";
import type { Gesture, Point } from "../../base/pointer_gestures";
import { gesturesOf, type Moves } from "./gestures";

const at = (xPx: number, yPx: number): Point => ({ xPx, yPx });

type Keys = Partial<Pick<PointerEvent, "button" | "buttons" | "shiftKey" | "ctrlKey" | "metaKey" | "pointerType">>;

function pointerEvent(keys: Keys = {}): PointerEvent {
  const plain = { button: 0, buttons: 1, shiftKey: false, ctrlKey: false, metaKey: false, pointerType: "mouse" };
  return { ...plain, ...keys } as PointerEvent;
}

/** Records every call as its name and arguments. */
function opened(boxing = false): { feed: (gesture: Gesture<PointerEvent>) => void; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const moves = new Proxy({} as Moves, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        calls.push([name, ...args]),
  });
  return { feed: gesturesOf({} as HTMLElement, moves, () => boxing).onGesture, calls };
}

const press = (keys?: Keys): Gesture<PointerEvent> => ({ kind: "press", at: at(10, 10), event: pointerEvent(keys) });
const drag = (keys?: Keys): Gesture<PointerEvent> => ({
  kind: "drag",
  from: at(10, 10),
  before: at(10, 10),
  at: at(30, 20),
  event: pointerEvent(keys),
});
const release = (dragged: boolean, cancelled = false, keys?: Keys): Gesture<PointerEvent> => ({
  kind: "release",
  from: at(10, 10),
  at: at(30, 20),
  dragged,
  cancelled,
  event: pointerEvent(keys),
});

test("dragging turns; with Ctrl or the right button it moves", () => {
  const { feed, calls } = opened();
  feed(press());
  feed(drag());
  feed(drag({ ctrlKey: true }));
  feed(drag({ buttons: 2 }));
  feed(release(true));
  expect(calls).toEqual([
    ["hold", true],
    ["turn", 20, 10],
    ["move", 20, 10],
    ["move", 20, 10],
    ["hold", false],
  ]);
});

test("with Shift, or with the box tool, dragging draws a box", () => {
  for (const [boxing, keys] of [
    [false, { shiftKey: true }],
    [true, {}],
  ] as const) {
    const { feed, calls } = opened(boxing);
    feed(press(keys));
    feed(drag());
    feed(release(true));
    expect(calls).toEqual([
      ["hold", true],
      ["box", [10, 10, 30, 20], false],
      ["hold", false],
      ["box", [10, 10, 30, 20], true],
    ]);
  }
});

test("a box that the browser cancels disappears and selects nothing", () => {
  const { feed, calls } = opened(true);
  feed(press());
  feed(drag());
  feed(release(true, true));
  expect(calls.at(-1)).toEqual(["box", null, false]);
});

test("a second finger gives up the box and zooms", () => {
  const { feed, calls } = opened(true);
  const pinch = { xPx: 10, yPx: 10, apartPx: 20 };
  feed(press());
  feed({ kind: "pinch-start", from: pinch, event: pointerEvent() });
  feed({ kind: "pinch", from: pinch, before: pinch, to: { ...pinch, xPx: 15, apartPx: 40 }, event: pointerEvent() });
  feed(drag());
  feed(release(true));
  expect(calls).toEqual([
    ["hold", true],
    ["box", null, false],
    ["zoom", 0.5, 15, 10],
    ["move", 5, 0],
    ["turn", 20, 10],
    ["hold", false],
  ]);
});

test("a press that stays is a click of the left button; Ctrl adds", () => {
  const { feed, calls } = opened();
  feed(press());
  feed(release(false));
  feed(press());
  feed(release(false, false, { ctrlKey: true }));
  feed(press({ button: 2 }));
  feed(release(false, false, { button: 2 }));
  feed(press());
  feed(release(false, true));
  expect(calls.filter(([name]) => name === "click")).toEqual([
    ["click", 30, 20, false],
    ["click", 30, 20, true],
  ]);
});

test("fingers do not hover", () => {
  const { feed, calls } = opened();
  feed({ kind: "hover", at: at(1, 2), event: pointerEvent({ pointerType: "touch" }) });
  feed({ kind: "hover", at: at(1, 2), event: pointerEvent() });
  feed({ kind: "leave", at: at(1, 2), event: pointerEvent() });
  expect(calls).toEqual([["hover", 1, 2], ["leave"]]);
});
