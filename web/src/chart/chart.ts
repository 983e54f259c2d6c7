// The page's end of a chart: hands canvas, data and scenes to the drawing worker and brings its answers back.

import type { LayerNews, StylesNews, ToPage, ToWorker } from "./messages";
import type { Chart, Drawn, Picks, Scene, SeriesStyle } from "./types";

export type { Chart } from "./types";

// Scenes sent before the first of them is seen. With one alone, every other frame would pass unused while it travels.
const AHEAD = 2;

type Answer = { readonly resolve: (value: never) => void; readonly reject: (problem: Error) => void };

type Studio = { readonly send: (message: ToWorker, handOver?: Transferable[]) => void };

const answers = new Map<number, Answer>();
const listeners = new Map<number, (drawn: Drawn) => void>();
const studios: Studio[] = [];
let charts = 0;
let questions = 0;

const offscreen =
  typeof HTMLCanvasElement !== "undefined" && "transferControlToOffscreen" in HTMLCanvasElement.prototype;

// Charts are dealt out to this many workers; the page itself and the compositor want their share of the cores, too.
const MOST_WORKERS = 2;

function studioOf(chart: number): Studio {
  const most = offscreen ? Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 1) : 1;
  const place = chart % most;
  studios[place] ??= openStudio();
  return studios[place];
}

function openStudio(): Studio {
  if (!offscreen) return studioOnPage();
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<ToPage>) => receive(event.data);
  return { send: (message, handOver = []) => worker.postMessage(message, handOver) };
}

/** The same code on the page's own thread; fetched only where it is needed. */
function studioOnPage(): Studio {
  const host = import("./host").then(({ createHost }) =>
    createHost({
      makeCanvas: (width, height) => Object.assign(document.createElement("canvas"), { width, height }),
      nextFrame: (callback) => requestAnimationFrame(callback),
      soon: (callback) => setTimeout(callback),
      post: receive,
    }),
  );
  return { send: (message) => host.then((handle) => handle(message)) };
}

function receive(message: ToPage): void {
  if (message.type === "drawn") {
    const { type: _, ...drawn } = message;
    listeners.get(drawn.chart)?.(drawn);
    document.dispatchEvent(new CustomEvent("lightboard:drawn", { detail: drawn }));
    return;
  }
  const answer = message.question === null ? undefined : answers.get(message.question);
  if (message.question !== null) answers.delete(message.question);
  if (message.type === "picked") answer?.resolve(message.picks as never);
  else if (message.type === "picture") answer?.resolve(message.picture as never);
  else if (answer !== undefined) answer.reject(new Error(message.reason));
  else reportError(new Error(`a chart could not be drawn: ${message.reason}`));
}

function ask<T>(send: (question: number) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const question = ++questions;
    answers.set(question, { resolve: resolve as (value: never) => void, reject });
    send(question);
  });
}

/** A canvas can be handed over once: open it once. */
export function openChart(canvas: HTMLCanvasElement): Chart {
  const chart = ++charts;
  const { send } = studioOf(chart);
  const handed = offscreen ? canvas.transferControlToOffscreen() : canvas;
  send({ type: "open", chart, canvas: handed }, handed instanceof HTMLCanvasElement ? [] : [handed]);
  canvas.dataset.chart = String(chart);

  let told: ReadonlySet<number> = new Set();
  let underWay = 0;
  let next: Scene | null = null;
  let crispDrawings = 0;

  function sendScene(scene: Scene): void {
    underWay++;
    const used = new Set<number>();
    const news = (list: readonly SeriesStyle[]): StylesNews => {
      const number = numberOf(list);
      const known = told.has(number) || used.has(number);
      used.add(number);
      return known ? { number } : { number, list };
    };
    const layers = scene.layers.map(
      ({ styles, bands, ...layer }): LayerNews => ({ ...layer, styles: news(styles), bands: news(bands) }),
    );
    told = used;
    send({ type: "draw", chart, scene: { ...scene, layers } });
  }

  listeners.set(chart, (drawn) => {
    if (drawn.crisp) canvas.dataset.drawn = String(++crispDrawings);
    // one drawing may show several scenes at once: the newest, and those it overtook
    underWay = drawn.crisp || underWay < AHEAD ? 0 : underWay - 1;
    if (next === null) return;
    const scene = next;
    next = null;
    sendScene(scene);
  });

  return {
    addLayer: (id, frame) => send({ type: "add", chart, id, frame }, [frame]),
    removeLayer: (id) => send({ type: "remove", chart, id }),
    draw(scene) {
      if (underWay >= AHEAD) next = scene;
      else sendScene(scene);
    },
    pick: ({ xPx, yPx }, order, limit) =>
      ask<Picks>((question) => send({ type: "pick", chart, question, xPx, yPx, order, limit })),
    picture: (scene, legend, kind, scale) =>
      ask<Blob>((question) => send({ type: "picture", chart, question, scene, legend, kind, scale })),
    close() {
      listeners.delete(chart);
      send({ type: "close", chart });
    },
  };
}

const numbers = new WeakMap<readonly SeriesStyle[], number>();
let lastNumber = 0;

/** Hundreds of styles take their time to copy: an array that has been sent once is known by this. */
function numberOf(list: readonly SeriesStyle[]): number {
  const known = numbers.get(list);
  if (known !== undefined) return known;
  numbers.set(list, ++lastNumber);
  return lastNumber;
}
