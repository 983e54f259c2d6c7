// Tests a chart's pointer from events to calls, on an element that is not in a page.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { layoutOf } from "./layout";
import { type Handlers, listenTo, type Met } from "./pointer";
import { sceneOf } from "./test_data";

const scene: Met = { ...sceneOf(), selection: { kind: "step", at: 5 } };
const layout = layoutOf(sceneOf());
const { plot } = layout;
const [left, top] = [plot.leftPx + 5, plot.topPx + 5];

class FakeElement extends EventTarget {
  readonly style = { cursor: "" };
  captured: number[] = [];
  getBoundingClientRect(): { readonly left: number; readonly top: number } {
    return { left: 0, top: 0 };
  }
  setPointerCapture(id: number): void {
    this.captured.push(id);
  }
  fire(name: string, members: object): Event {
    const event = Object.assign(new Event(name, { cancelable: true }), members);
    this.dispatchEvent(event);
    return event;
  }
}

const PLAIN = { shiftKey: false, altKey: false, ctrlKey: false, metaKey: false };

let frames: (() => void)[] = [];
const nextFrame = (): void => {
  for (const frame of frames.splice(0)) frame();
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  vi.stubGlobal("cancelAnimationFrame", () => {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Opened = {
  readonly element: FakeElement;
  readonly calls: unknown[][];
  readonly pointer: (name: string, x: number, y: number, members?: object) => Event;
  readonly names: () => unknown[];
};

function opened(): Opened {
  const element = new FakeElement();
  const calls: unknown[][] = [];
  const handlers = new Proxy({} as Handlers, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        calls.push([name, ...args]),
  });
  listenTo(element as unknown as HTMLElement, () => ({ scene, layout, handlers }));
  const pointer = (name: string, clientX: number, clientY: number, members: object = {}): Event =>
    element.fire(name, {
      ...PLAIN,
      clientX,
      clientY,
      pointerId: 1,
      pointerType: "mouse",
      button: 0,
      detail: 1,
      ...members,
    });
  return { element, calls, pointer, names: () => calls.map(([name]) => name) };
}

test("a drag draws a box and zooms to it when it is let go; the click after it does not count", () => {
  const { element, calls, pointer, names } = opened();
  pointer("pointerdown", left, top);
  expect(element.captured).toEqual([1]);
  pointer("pointermove", left + 30, top + 30);
  pointer("pointerup", left + 30, top + 30);
  expect(names()).toEqual(["onBox", "onBox", "onZoom", "onGestureEnd"]);
  expect(calls[1]).toEqual(["onBox", null]);
  pointer("click", left + 30, top + 30);
  expect(names()).not.toContain("onClick");
});

test("a press that stays is a click; the second one of a double click is not", () => {
  const { pointer, names } = opened();
  for (const detail of [1, 2]) {
    pointer("pointerdown", left, top);
    pointer("pointermove", left + 1, top);
    pointer("pointerup", left + 1, top);
    pointer("click", left + 1, top, { detail });
  }
  expect(names().filter((name) => name === "onClick")).toHaveLength(1);
  expect(names()).not.toContain("onZoom");
  pointer("dblclick", left, top);
  expect(names().slice(-2)).toEqual(["onZoom", "onGestureEnd"]);
});

test("Escape gives up the box, and the click that follows", () => {
  const { element, calls, pointer, names } = opened();
  pointer("pointerdown", left, top);
  pointer("pointermove", left + 30, top + 30);
  element.fire("keydown", { ...PLAIN, key: "Escape" });
  expect(calls.at(-1)).toEqual(["onBox", null]);
  pointer("pointerup", left + 30, top + 30);
  pointer("click", left + 30, top + 30);
  expect(names()).toEqual(["onBox", "onBox"]);
});

test("a pointer that the browser takes away zooms nothing", () => {
  const { calls, pointer, names } = opened();
  pointer("pointerdown", left, top);
  pointer("pointermove", left + 30, top + 30);
  pointer("pointercancel", left + 30, top + 30);
  expect(calls.at(-1)).toEqual(["onBox", null]);
  expect(names()).not.toContain("onZoom");
});

test("with Shift or the middle button both axes move, once a frame, and the last move counts", () => {
  for (const members of [{ shiftKey: true }, { button: 1 }]) {
    const { element, pointer, names } = opened();
    const down = pointer("pointerdown", left, top, members);
    expect(down.defaultPrevented).toBe("button" in members);
    expect(element.style.cursor).toBe("grabbing");
    pointer("pointermove", left + 10, top);
    pointer("pointermove", left + 20, top);
    expect(names()).toEqual([]);
    nextFrame();
    expect(names()).toEqual(["onZoom", "onHover"]);
    pointer("pointermove", left + 25, top);
    pointer("pointerup", left + 25, top);
    expect(names().filter((name) => name !== "onHover")).toEqual(["onZoom", "onZoom", "onGestureEnd"]);
  }
});

test("the line of the selection is dragged", () => {
  const { calls, pointer } = opened();
  const middle = (plot.leftPx + plot.rightPx) / 2;
  pointer("pointerdown", middle, top);
  pointer("pointermove", middle + (plot.rightPx - plot.leftPx) / 10, top);
  expect(calls[0]).toMatchObject(["onSelection", { kind: "step", at: 6 }]);
});

test("hovering is reported once a frame, and leaving it too", () => {
  const { calls, pointer } = opened();
  pointer("pointermove", left, top);
  pointer("pointermove", left + 2, top);
  nextFrame();
  expect(calls).toHaveLength(1);
  expect(calls[0]?.[1]).toMatchObject({ xPx: left + 2, yPx: top });
  pointer("pointerleave", left, top);
  nextFrame();
  expect(calls[1]).toEqual(["onHover", null]);
});

test("a drag ends the hover, which begins again with the next move", () => {
  for (const members of [{}, { shiftKey: true }]) {
    const { calls, pointer } = opened();
    const hovers = (): unknown[] => calls.filter(([name]) => name === "onHover").map(([, hover]) => hover);
    pointer("pointermove", left, top);
    nextFrame();
    pointer("pointerdown", left, top, members);
    pointer("pointermove", left + 30, top + 30, members);
    nextFrame();
    expect(hovers()).toHaveLength(2);
    expect(hovers()[1]).toBeNull();
    pointer("pointerup", left + 30, top + 30, members);
    nextFrame();
    expect(hovers().at(-1)).toBeNull();
    pointer("pointermove", left + 31, top + 30);
    nextFrame();
    expect(hovers().at(-1)).toMatchObject({ xPx: left + 31 });
  }
});

test("one finger scrolls the page and hovers, two zoom", () => {
  const { element, pointer, names } = opened();
  const touch = (id: number): object => ({ pointerType: "touch", pointerId: id });
  pointer("pointerdown", left, top, touch(1));
  expect(element.captured).toEqual([]);
  pointer("pointermove", left + 9, top, touch(1));
  nextFrame();
  expect(names()).toEqual(["onHover"]);
  pointer("pointerdown", left + 40, top, touch(2));
  pointer("pointermove", left + 60, top, touch(2));
  nextFrame();
  pointer("pointerup", left + 60, top, touch(2));
  expect(names()).toEqual(["onHover", "onZoom", "onHover", "onGestureEnd"]);
  expect(element.fire("touchmove", { touches: [1] }).defaultPrevented).toBe(false);
  expect(element.fire("touchmove", { touches: [1, 2] }).defaultPrevented).toBe(true);
});

test("the wheel scrolls the page; with Ctrl it zooms and ends after a pause", () => {
  const { element, names } = opened();
  const wheel = (members: object): Event =>
    element.fire("wheel", { ...PLAIN, clientX: left, clientY: top, deltaX: 0, deltaY: 100, deltaMode: 0, ...members });
  expect(wheel({}).defaultPrevented).toBe(false);
  expect(names()).toEqual(["onPlainWheel"]);
  expect(wheel({ ctrlKey: true }).defaultPrevented).toBe(true);
  nextFrame();
  expect(names()).toEqual(["onPlainWheel", "onZoom", "onHover"]);
  vi.advanceTimersByTime(200);
  expect(names()).toEqual(["onPlainWheel", "onZoom", "onHover", "onGestureEnd"]);
});

test("keys zoom and are the chart's alone; others pass by", () => {
  const { element, names } = opened();
  expect(element.fire("keydown", { ...PLAIN, key: "+" }).defaultPrevented).toBe(true);
  expect(element.fire("keydown", { ...PLAIN, key: "k" }).defaultPrevented).toBe(false);
  expect(element.fire("keydown", { ...PLAIN, key: "+", ctrlKey: true }).defaultPrevented).toBe(false);
  vi.advanceTimersByTime(200);
  expect(names()).toEqual(["onZoom", "onGestureEnd"]);
});

test("after stop nothing is heard", () => {
  const element = new FakeElement();
  const stop = listenTo(element as unknown as HTMLElement, () => {
    throw new Error("still listening");
  });
  stop();
  element.fire("dblclick", { ...PLAIN, clientX: left, clientY: top });
});
