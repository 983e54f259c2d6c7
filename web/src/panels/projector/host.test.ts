// Tests of the host of the worker: hit tests, box selection, requested labels, and when it draws.

import { afterEach, expect, test, vi } from "vitest";
import { encodeLayout } from "./frames_for_tests";
import { createHost } from "./host";
import type { Look, ToPage, ToWorker } from "./messages";

const LOOK: Look = {
  background: "#ffffff",
  text: "#000000",
  quiet: "#777777",
  line: "#dddddd",
  accent: "#0000ff",
  plain: "#446688",
  faded: "#cccccc",
  font: "11px sans-serif",
  labels: false,
  images: false,
  pointSize: 1,
  painter: "auto",
  axes: ["", "", ""],
};

function stage(): { readonly tell: (message: ToWorker) => void; readonly heard: ToPage[] } {
  const heard: ToPage[] = [];
  const tell = createHost({
    nextFrame: (callback) => callback(),
    now: () => 0,
    post: (message) => heard.push(message),
  });
  tell({ type: "look", look: LOOK });
  tell({ type: "size", width: 400, height: 400, ratio: 2 });
  tell({
    type: "camera",
    camera: { theta: 0, phi: Math.PI / 2, x: 0, y: 0, z: 0, distance: 3 },
    flat: true,
    moving: false,
  });
  return { tell, heard };
}

const pickedRow = (heard: readonly ToPage[]): number | undefined => {
  const last = heard.at(-1);
  return last?.type === "picked" ? last.row : undefined;
};

test("nothing is picked before there are points", () => {
  const { tell, heard } = stage();
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(-1);
});

test("the point under the pointer is picked, and none beside it", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(1);
  tell({ type: "pick", question: 2, x: 100, y: 40 });
  expect(pickedRow(heard)).toBe(-1);
});

test("what is not shown is neither picked nor in a box", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "box", question: 1, box: [0, 0, 200, 200] });
  const last = heard.at(-1);
  expect(last?.type === "boxed" && [...last.rows]).toEqual([0, 1, 2]);
  const none = new Uint32Array();
  tell({ type: "marks", marks: { selected: none, neighbors: none, hovered: -1, only: Uint32Array.of(0, 2) } });
  tell({ type: "box", question: 2, box: [200, 200, 0, 0] });
  const again = heard.at(-1);
  expect(again?.type === "boxed" && [...again.rows]).toEqual([0, 2]);
});

test("a frame without coordinates changes nothing", () => {
  const { tell, heard } = stage();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2), rows: null, total: 3 });
  tell({ type: "layout", key: "a", frame: encodeLayout(null, 3, 2), rows: null, total: 3 });
  tell({ type: "pick", question: 1, x: 100, y: 100 });
  expect(pickedRow(heard)).toBe(1);
});

test("a layout of some points keeps their numbers", () => {
  const { tell, heard } = stage();
  const only = Uint32Array.of(1, 4);
  const none = new Uint32Array();
  tell({ type: "layout", key: "a", frame: encodeLayout([-1, 0, 1, 0], 2, 2), rows: only, total: 6 });
  tell({ type: "box", question: 1, box: [0, 0, 200, 200] });
  const all = heard.at(-1);
  expect(all?.type === "boxed" && [...all.rows]).toEqual([1, 4]);
  tell({ type: "marks", marks: { selected: none, neighbors: none, hovered: -1, only } });
  tell({ type: "box", question: 2, box: [100, 0, 200, 200] });
  const right = heard.at(-1);
  expect(right?.type === "boxed" && [...right.rows]).toEqual([4]);
});

// ---- drawing, on stub canvases

afterEach(() => vi.unstubAllGlobals());

function fakeCanvas(): OffscreenCanvas {
  const nothing = (): void => {};
  const members: Record<string, unknown> = {
    measureText: () => ({ width: 10 }),
  };
  const context = new Proxy(members, { get: (target, name) => target[String(name)] ?? nothing });
  return { width: 0, height: 0, getContext: () => context } as unknown as OffscreenCanvas;
}

/** Creates a worker with canvases; the test triggers its animation frames. */
function drawing() {
  vi.stubGlobal(
    "ImageData",
    class {
      readonly data: Uint8ClampedArray;
      constructor(
        readonly width: number,
        readonly height: number,
      ) {
        this.data = new Uint8ClampedArray(4 * width * height);
      }
    },
  );
  const heard: ToPage[] = [];
  const frames: (() => void)[] = [];
  const tell = createHost({
    nextFrame: (callback) => frames.push(callback),
    now: () => 0,
    post: (message) => heard.push(message),
  });
  const [points, overlay] = [fakeCanvas(), fakeCanvas()];
  tell({ type: "canvas", points, overlay });
  tell({ type: "look", look: { ...LOOK, painter: "processor" } });
  tell({ type: "size", width: 400, height: 300, ratio: 2 });
  return {
    tell,
    frames,
    points,
    overlay,
    frame: (): ToPage[] => {
      for (const callback of frames.splice(0)) callback();
      return heard.splice(0);
    },
  };
}

const LAYOUT = {
  type: "layout",
  key: "a",
  frame: encodeLayout([-1, 0, 0, 0, 1, 0], 3, 2),
  rows: null,
  total: 3,
} as const;

test("changes of one frame are drawn together, on canvases of the size of the page", () => {
  const { tell, frames, frame, points, overlay } = drawing();
  tell(LAYOUT);
  expect(frames.length).toBe(1);
  expect(frame()).toMatchObject([{ type: "drawn", key: "a", rows: 3, points: 3, frames: 1, by: "processor" }]);
  expect([points.width, overlay.height]).toEqual([400, 300]);
});

test("nothing is posted without points, nor after they are cleared", () => {
  const { tell, frame } = drawing();
  expect(frame()).toEqual([]);
  tell(LAYOUT);
  frame();
  tell({ type: "clear" });
  expect(frame()).toEqual([]);
});

test("labels that are drawn and not known are asked for, once they are known no more", () => {
  const { tell, frame } = drawing();
  const marks = { selected: Uint32Array.of(1), neighbors: new Uint32Array(), hovered: -1, only: null };
  tell(LAYOUT);
  tell({ type: "marks", marks });
  expect(frame()).toMatchObject([{ type: "drawn" }, { type: "wanted", rows: [1] }]);
  tell({ type: "labels", texts: new Map([[1, "one"]]), fresh: false });
  expect(frame()).toMatchObject([{ type: "drawn" }]);
});

test("a layout without coordinates is not drawn", () => {
  const { tell, frame, frames } = drawing();
  tell(LAYOUT);
  frame();
  tell({ ...LAYOUT, frame: encodeLayout(null, 3, 2) });
  expect(frames).toEqual([]);
});

test("there is no picture before there is a canvas", async () => {
  const { tell, heard } = stage();
  tell({ type: "picture", question: 5 });
  await vi.waitFor(() => expect(heard.at(-1)).toEqual({ type: "picture", question: 5, blob: null }));
});
