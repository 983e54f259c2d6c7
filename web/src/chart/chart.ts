// The page's side of a chart: sends canvas, data and scenes to the drawing worker and returns its responses.

import { type Bridge, bridgeTo, type Failure, type OpenPort, pagePort, workerPort } from "../base/worker_bridge";
import type { LayerNews, SceneNews, StylesNews, ToPage, ToWorker } from "./messages";
import { handOver, offscreen, PAGE_TOOLS, reportFailure } from "./offscreen";
import type { Chart, Drawn, Scene, SeriesStyle } from "./types";

export type { Chart } from "./types";

// Number of scenes that may be sent before the first one is drawn. With only one, every second frame would be unused.
const AHEAD = 2;

type ChartBridge = Bridge<ToWorker, ToPage>;

const listeners = new Map<number, (drawn: Drawn) => void>();
const bridges: ChartBridge[] = [];
let charts = 0;

// Charts are distributed over this many workers; the page itself and the compositor need CPU cores, too.
const MOST_WORKERS = 2;

function bridgeOf(chart: number): ChartBridge {
  const most = offscreen ? Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1) : 1;
  const place = chart % most;
  bridges[place] ??= bridgeTo(openPort, receive);
  return bridges[place];
}

const openPort: OpenPort<ToWorker, ToPage> = offscreen
  ? workerPort(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }))
  : pagePort(async (post) => (await import("./host")).createHost({ ...PAGE_TOOLS, post }));

function receive(message: ToPage | Failure): void {
  if (message.type === "failed") reportFailure(message.reason);
  if (message.type !== "drawn") return;
  const { type: _, ...drawn } = message;
  listeners.get(drawn.chart)?.(drawn);
  document.dispatchEvent(new CustomEvent("lightboard:drawn", { detail: drawn }));
}

/** A canvas can be transferred only once: open it once. */
export function openChart(element: HTMLCanvasElement): Chart {
  const chart = ++charts;
  const { send, ask } = bridgeOf(chart);
  const { canvas, transfer } = handOver(element);
  send({ type: "open", chart, canvas }, transfer);
  element.dataset.chart = String(chart);
  const scenes = sceneSender((scene) => send({ type: "draw", chart, scene }));
  let crispDrawings = 0;
  listeners.set(chart, (drawn) => {
    if (drawn.crisp) element.dataset.drawn = String(++crispDrawings);
    scenes.drawn(drawn.crisp);
  });
  return {
    addLayer: (id, frame) => send({ type: "add", chart, id, frame }, [frame]),
    removeLayer: (id) => send({ type: "remove", chart, id }),
    draw: scenes.draw,
    pick: async ({ xPx, yPx }, order, limit) => {
      const answer = await ask("picked", (question) => ({ type: "pick", chart, question, xPx, yPx, order, limit }));
      return answer.picks;
    },
    picture: async (scene, legend, kind, scale) => {
      const order = { type: "picture", chart, scene, legend, kind, scale } as const;
      return (await ask("picture", (question) => ({ ...order, question }))).picture;
    },
    close() {
      listeners.delete(chart);
      send({ type: "close", chart });
    },
  };
}

export type SceneSender = {
  readonly draw: (scene: Scene) => void;
  /** A scene was drawn. `crisp`: it is the newest scene, and not an older drawing that was only moved. */
  readonly drawn: (crisp: boolean) => void;
};

/** Sends scenes, at most AHEAD before they are drawn. Of the waiting scenes only the newest is sent. */
export function sceneSender(send: (scene: SceneNews) => void): SceneSender {
  /** Numbers of the styles in the last sent scene: the worker has these. */
  let known: ReadonlySet<number> = new Set();
  let underWay = 0;
  let next: Scene | null = null;

  function sendNow(scene: Scene): void {
    underWay++;
    const { news, styles } = newsOf(scene, known);
    known = styles;
    send(news);
  }

  return {
    draw(scene) {
      if (underWay >= AHEAD) next = scene;
      else sendNow(scene);
    },
    drawn(crisp) {
      // one drawing may complete several scenes: the newest one, and older ones that were skipped
      underWay = crisp || underWay < AHEAD ? 0 : underWay - 1;
      if (next === null) return;
      const scene = next;
      next = null;
      sendNow(scene);
    },
  };
}

/** Returns the scene with the numbers of its styles, without the lists that the worker already has. */
function newsOf(
  scene: Scene,
  known: ReadonlySet<number>,
): { readonly news: SceneNews; readonly styles: ReadonlySet<number> } {
  const used = new Set<number>();
  const stylesNews = (list: readonly SeriesStyle[]): StylesNews => {
    const number = numberOf(list);
    const isKnown = known.has(number) || used.has(number);
    used.add(number);
    return isKnown ? { number } : { number, list };
  };
  const layers = scene.layers.map(
    ({ styles, bands, ...layer }): LayerNews => ({ ...layer, styles: stylesNews(styles), bands: stylesNews(bands) }),
  );
  return { news: { ...scene, layers }, styles: used };
}

const numbers = new WeakMap<readonly SeriesStyle[], number>();
let lastNumber = 0;

/**
 * Returns the number of a list of styles. Copying hundreds of styles is slow: a list is sent once, then only its
 * number.
 */
function numberOf(list: readonly SeriesStyle[]): number {
  const known = numbers.get(list);
  if (known !== undefined) return known;
  numbers.set(list, ++lastNumber);
  return lastNumber;
}
