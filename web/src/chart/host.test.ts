// Tests which chart is drawn next, and when: with canvases that draw nothing and a clock that the test controls.
// picture.test.ts and raster.test.ts test the drawing, plate.test.ts when a plate is stale.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createHost } from "./host";
import type { SceneNews, ToPage, ToWorker } from "./messages";
import type { AnyCanvas } from "./plate";
import { pointsFrame, type SceneOverrides, sceneOf, styleOf } from "./test_data";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.stubGlobal("ImageData", class {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type FakeCanvas = AnyCanvas & { onDraw: () => void };

/**
 * A canvas whose context accepts every call. `onDraw` is called when the background of a chart, or a plate, is drawn.
 */
function fakeCanvas(width = 0, height = 0): FakeCanvas {
  const nothing = (): void => {};
  const canvas = { width, height, onDraw: nothing, getContext: () => context };
  const members: Record<string, unknown> = { fillRect: () => canvas.onDraw(), putImageData: () => canvas.onDraw() };
  const context = new Proxy(members, { get: (target, name) => target[String(name)] ?? nothing });
  return canvas as unknown as FakeCanvas;
}

/** A host whose frames and turns are triggered by the test. Every plate takes `plateMillis`. */
function stage({ plateMillis = 0 } = {}) {
  const heard: ToPage[] = [];
  const frames: (() => void)[] = [];
  const turns: (() => void)[] = [];
  let plates = 0;
  const tell = createHost({
    makeCanvas: (width, height) => {
      const canvas = fakeCanvas(width, height);
      canvas.onDraw = () => {
        plates++;
        vi.advanceTimersByTime(plateMillis);
      };
      return canvas;
    },
    nextFrame: (callback) => frames.push(callback),
    soon: (callback) => turns.push(callback),
    post: (message) => heard.push(message),
  });
  const call = (list: (() => void)[]): void => {
    for (const callback of list.splice(0)) callback();
  };
  return {
    tell: tell as (message: ToWorker) => void,
    frames,
    turns,
    frame: () => call(frames),
    turn: () => call(turns),
    /** Messages since the last call. */
    heard: () => heard.splice(0),
    plates: () => plates,
  };
}

type Stage = ReturnType<typeof stage>;

const STYLES = { number: 1, list: [styleOf("#111111")] };
const BANDS = { number: 2, list: [] };

function news(overrides: SceneOverrides = {}, layer = 1): SceneNews {
  return { ...sceneOf(overrides), layers: [{ id: layer, styles: STYLES, bands: BANDS }] };
}

function open(host: Stage, chart: number): FakeCanvas {
  const canvas = fakeCanvas();
  host.tell({ type: "open", chart, canvas });
  const points = pointsFrame([
    [0, 1],
    [10, 9],
  ]);
  for (const id of [1, 2]) host.tell({ type: "add", chart, id, frame: points.slice(0) });
  return canvas;
}

const draw = (host: Stage, chart: number, overrides: SceneOverrides = {}, layer = 1): void =>
  host.tell({ type: "draw", chart, scene: news(overrides, layer) });

const drawings = (messages: readonly ToPage[]): readonly string[] =>
  messages.map((one) => (one.type === "drawn" ? `${one.chart} ${one.crisp ? "crisp" : "preview"}` : one.type));

const PANNED: SceneOverrides = { x: { scale: "linear", lo: 1, hi: 11, format: "step" } };

/** Returns a host that has drawn these charts. */
function shown(options: { readonly plateMillis?: number } = {}, charts: readonly number[] = [1]): Stage {
  const host = stage(options);
  for (const chart of charts) {
    open(host, chart);
    draw(host, chart);
  }
  while (host.frames.length + host.turns.length > 0) {
    host.frame();
    host.turn();
  }
  // long enough that no gesture is active
  vi.advanceTimersByTime(1000);
  host.heard();
  return host;
}

test("the first scene is drawn after the messages that wait, without waiting for a frame", () => {
  const host = stage();
  open(host, 1);
  draw(host, 1);
  expect(host.heard()).toEqual([]);
  host.turn();
  expect(host.heard()).toMatchObject([{ type: "drawn", chart: 1, layers: [1], crisp: true }]);
});

test("crosshair and selection are drawn at the next frame, on the plate that there is", () => {
  const host = shown();
  const before = host.plates();
  draw(host, 1, { crosshair: 3 });
  expect(host.turns).toEqual([]);
  host.frame();
  expect(drawings(host.heard())).toEqual(["1 crisp"]);
  expect(host.plates()).toBe(before);
});

test("of several scenes only the newest is drawn", () => {
  const host = shown();
  for (const crosshair of [1, 2, 3]) draw(host, 1, { crosshair });
  expect(host.frames.length).toBe(1);
  host.frame();
  expect(host.heard().length).toBe(1);
});

test("a new setting of the lines is drawn with a new plate", () => {
  const host = shown();
  const before = host.plates();
  draw(host, 1, { lines: { partition: true } });
  host.frame();
  host.turn();
  expect(drawings(host.heard())).toEqual(["1 crisp"]);
  expect(host.plates()).toBe(before + 1);
});

test("a pan that can be drawn in time needs no preview", () => {
  const host = shown({ plateMillis: 5 });
  draw(host, 1, PANNED);
  host.frame();
  expect(drawings(host.heard())).toEqual(["1 crisp"]);
});

test("a pan that takes long shows the old plate moved first", () => {
  const host = shown({ plateMillis: 50 });
  draw(host, 1, PANNED);
  host.frame();
  expect(drawings(host.heard())).toEqual(["1 preview", "1 crisp"]);
});

test("new lines at the same place are not previewed with the old ones", () => {
  const host = shown({ plateMillis: 50 });
  draw(host, 1, {}, 2);
  // only the lines of the scene differ: no frame is needed before they are drawn
  expect(host.frames).toEqual([]);
  host.turn();
  expect(host.heard()).toMatchObject([{ layers: [2], crisp: true }]);
});

test("drawing stops after a slice and goes on after the messages that wait", () => {
  const host = stage({ plateMillis: 50 });
  for (const chart of [1, 2]) {
    open(host, chart);
    draw(host, chart);
  }
  host.turn();
  expect(drawings(host.heard())).toEqual(["1 crisp"]);
  host.turn();
  expect(drawings(host.heard())).toEqual(["2 crisp"]);
  host.turn();
  expect(host.heard()).toEqual([]);
  expect(host.turns).toEqual([]);
});

test("during a gesture the rest of the drawing waits for the next frame", () => {
  const host = shown({ plateMillis: 20 }, [1, 2]);
  for (const chart of [1, 2]) draw(host, chart, PANNED);
  host.frame();
  expect(drawings(host.heard())).toEqual(["1 preview", "2 preview", "1 crisp"]);
  expect([host.turns.length, host.frames.length]).toEqual([0, 1]);
  host.frame();
  expect(drawings(host.heard())).toEqual(["2 crisp"]);
});

test("strong lines of all charts are drawn before faint ones of any", () => {
  const host = stage();
  const lines = { smoothed: true, faint: true };
  for (const chart of [1, 2]) {
    open(host, chart);
    draw(host, chart, { lines });
  }
  host.turn();
  expect(drawings(host.heard())).toEqual(["1 preview", "2 preview", "1 crisp", "2 crisp"]);
});

test("a chart that was drawn goes to the end, so that all have their turns", () => {
  const host = shown({ plateMillis: 50 }, [1, 2]);
  draw(host, 1, { lines: { partition: true } });
  host.frame();
  host.heard();
  for (const chart of [1, 2]) draw(host, chart, { lines: { markers: "all" } });
  host.frame();
  expect(drawings(host.heard())[0]).toBe("2 preview");
});

test("a chart that cannot be drawn waits for its next scene, and the others go on", () => {
  const host = stage();
  const broken = open(host, 1);
  open(host, 2);
  broken.onDraw = () => {
    throw new Error("no memory");
  };
  for (const chart of [1, 2]) draw(host, chart);
  host.turn();
  const heard = host.heard();
  expect(drawings(heard)).toEqual(["failed", "1 preview", "2 crisp"]);
  expect(heard[0]).toMatchObject({ question: null, reason: "Error: no memory" });
  broken.onDraw = () => {};
  draw(host, 1);
  host.frame();
  host.turn();
  expect(drawings(host.heard())).toEqual(["1 crisp"]);
});

test("styles that a scene names by number are those of the scene before", () => {
  const host = shown();
  const bands = { number: 2 };
  const { layers: _, ...rest } = news({ crosshair: 2 });
  host.tell({ type: "draw", chart: 1, scene: { ...rest, layers: [{ id: 1, styles: { number: 1 }, bands }] } });
  host.frame();
  host.tell({ type: "pick", chart: 1, question: 1, xPx: 90, yPx: 60, order: "none", limit: 9 });
  expect(host.heard()).toMatchObject([{ crisp: true }, { type: "picked", question: 1, picks: { total: 1 } }]);
});

test("lines are picked in the newest scene, none before there is one", () => {
  const host = stage();
  open(host, 1);
  const pick = (question: number): void =>
    host.tell({ type: "pick", chart: 1, question, xPx: 40, yPx: 98, order: "nearest", limit: 5 });
  pick(1);
  draw(host, 1);
  pick(2);
  host.tell({ type: "remove", chart: 1, id: 1 });
  pick(3);
  const picks = host.heard().map((one) => (one.type === "picked" ? [one.question, one.picks.total] : null));
  expect(picks).toEqual([
    [1, 0],
    [2, 1],
    [3, 0],
  ]);
});

test("a chart becomes a picture", async () => {
  const host = shown();
  const legend = { title: "loss", entries: [] };
  host.tell({ type: "picture", chart: 1, question: 4, scene: sceneOf(), legend, kind: "svg", scale: 1 });
  await vi.waitFor(() => expect(host.heard()).toMatchObject([{ type: "picture", question: 4 }]));
});

test("questions to a closed chart fail, and other messages to it are ignored", () => {
  const host = shown();
  host.tell({ type: "close", chart: 1 });
  draw(host, 1);
  host.tell({ type: "pick", chart: 1, question: 7, xPx: 0, yPx: 0, order: "none", limit: 1 });
  expect(host.heard()).toEqual([{ type: "failed", question: 7, reason: "the chart is closed" }]);
  expect([host.turns.length, host.frames.length]).toEqual([0, 0]);
});

test("a message that cannot be handled is reported", () => {
  const host = shown();
  host.tell({ type: "add", chart: 1, id: 9, frame: new ArrayBuffer(4) });
  expect(host.heard()).toMatchObject([{ type: "failed", question: null }]);
});
