// Tests when charts of histograms are drawn, and what is redrawn: with canvases that draw nothing and a clock that the
// test controls. spread_picture.test.ts tests the drawing.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AnyCanvas } from "./plate";
import { createSpreadHost } from "./spread_host";
import type { FromSpreadWorker, HistogramData, SpreadScene } from "./spread_types";
import { sceneOf } from "./test_data";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

const { colors, font } = sceneOf();

const SCENE: SpreadScene = {
  widthPx: 400,
  heightPx: 300,
  ratio: 1,
  font,
  locale: "en",
  colors,
  color: "#336699",
  look: "offset",
  time: { axis: "step", origin: 0 },
  values: null,
  times: null,
  bins: "even",
  logCounts: false,
  pointed: null,
  chosen: null,
  within: null,
};

const DATA: HistogramData = {
  kind: "histograms",
  steps: Float64Array.of(0, 1),
  walls: Float64Array.of(0, 1),
  first: Uint32Array.of(0, 1, 2),
  lefts: Float64Array.of(0, 0),
  rights: Float64Array.of(1, 1),
  counts: Float64Array.of(2, 3),
};

/** A canvas whose context accepts every call. */
function fakeCanvas(onFill: () => void = () => {}): AnyCanvas {
  const nothing = (): void => {};
  const members: Record<string, unknown> = {
    fillRect: onFill,
    createLinearGradient: () => ({ addColorStop: nothing }),
  };
  const context = new Proxy(members, { get: (target, name) => target[String(name)] ?? nothing });
  return { width: 0, height: 0, getContext: () => context } as unknown as AnyCanvas;
}

/** A host whose frames are triggered by the test. `plates` counts how often the background of a plate was drawn. */
function stage(onPlate: () => void = () => {}) {
  const heard: FromSpreadWorker[] = [];
  const frames: (() => void)[] = [];
  let plates = 0;
  const tell = createSpreadHost({
    makeCanvas: () =>
      fakeCanvas(() => {
        plates++;
        onPlate();
      }),
    nextFrame: (callback) => frames.push(callback),
    post: (message) => heard.push(message),
  });
  return {
    tell,
    frames,
    plates: () => plates,
    frame: (): readonly FromSpreadWorker[] => {
      for (const callback of frames.splice(0)) callback();
      return heard.splice(0);
    },
    heard: () => heard.splice(0),
  };
}

function shown(onPlate?: () => void, charts: readonly number[] = [1]) {
  const host = stage(onPlate);
  for (const chart of charts) {
    host.tell({ type: "open", chart, canvas: fakeCanvas() });
    host.tell({ type: "data", chart, data: DATA });
    host.tell({ type: "draw", chart, scene: SCENE });
  }
  return host;
}

test("a chart is drawn once a frame, when it has data and a scene", () => {
  const host = stage();
  host.tell({ type: "open", chart: 1, canvas: fakeCanvas() });
  host.tell({ type: "draw", chart: 1, scene: SCENE });
  expect(host.frame()).toEqual([]);
  host.tell({ type: "data", chart: 1, data: DATA });
  host.tell({ type: "draw", chart: 1, scene: SCENE });
  expect(host.frames.length).toBe(1);
  expect(host.frame()).toMatchObject([{ type: "drawn", chart: 1, drawn: { steps: 2, empty: false } }]);
});

test("the pointer needs no new plate, another setting and new data do", () => {
  const host = shown();
  host.frame();
  const once = host.plates();
  host.tell({ type: "draw", chart: 1, scene: { ...SCENE, pointed: 1, chosen: 0 } });
  expect(host.frame()).toMatchObject([{ type: "drawn" }]);
  expect(host.plates()).toBe(once);
  host.tell({ type: "draw", chart: 1, scene: { ...SCENE, logCounts: true } });
  host.frame();
  expect(host.plates()).toBeGreaterThan(once);
  const twice = host.plates();
  host.tell({ type: "data", chart: 1, data: DATA });
  host.frame();
  expect(host.plates()).toBeGreaterThan(twice);
});

test("charts that do not fit into a frame are drawn in the next one", () => {
  const host = shown(() => vi.advanceTimersByTime(20), [1, 2]);
  expect(host.frame()).toMatchObject([{ chart: 1 }]);
  expect(host.frame()).toMatchObject([{ chart: 2 }]);
  expect(host.frames).toEqual([]);
});

test("a chart that cannot be drawn is reported, and the others go on", () => {
  let plates = 0;
  const host = shown(() => {
    if (++plates === 1) throw new Error("no memory");
  }, [1, 2]);
  expect(host.frame()).toMatchObject([
    { type: "failed", question: null, reason: "Error: no memory" },
    { type: "drawn", chart: 2 },
  ]);
});

test("a step is picked, and none before there is something to show", () => {
  const host = shown();
  host.tell({ type: "open", chart: 2, canvas: fakeCanvas() });
  host.tell({ type: "pick", chart: 2, question: 1, xPx: 200, yPx: 150 });
  host.tell({ type: "pick", chart: 1, question: 2, xPx: 200, yPx: 280 });
  const [none, step] = host.heard();
  expect(none).toEqual({ type: "picked", question: 1, pick: null });
  expect(step?.type === "picked" && step.pick?.at).toBeTypeOf("number");
});

test("a chart becomes a picture, unless it has no data", async () => {
  const host = shown();
  host.tell({ type: "open", chart: 2, canvas: fakeCanvas() });
  const order = { type: "picture", scene: SCENE, title: "weights", kind: "svg", scale: 1 } as const;
  host.tell({ ...order, chart: 2, question: 1 });
  expect(host.heard()).toMatchObject([{ type: "failed", question: 1 }]);
  host.tell({ ...order, chart: 1, question: 2 });
  await vi.waitFor(() => expect(host.heard()).toMatchObject([{ type: "picture", question: 2 }]));
});

test("questions to a closed chart fail, and other messages to it are ignored", () => {
  const host = shown();
  host.tell({ type: "close", chart: 1 });
  host.tell({ type: "draw", chart: 1, scene: SCENE });
  host.tell({ type: "pick", chart: 1, question: 5, xPx: 0, yPx: 0 });
  expect(host.frame()).toMatchObject([{ type: "failed", question: 5 }]);
});
