// The page's end of a chart of histograms or percentiles: hands canvas, data and scenes to the worker that draws them.

import type {
  FromSpreadWorker,
  SpreadData,
  SpreadDrawn,
  SpreadPick,
  SpreadScene,
  ToSpreadWorker,
} from "./spread_types";

export interface SpreadChart {
  /** Copied; it stays the caller's. */
  setData(data: SpreadData): void;
  /** The newest scene wins. */
  draw(scene: SpreadScene): void;
  pick(xPx: number, yPx: number): Promise<SpreadPick | null>;
  picture(scene: SpreadScene, title: string, kind: "png" | "svg", scale: number): Promise<Blob>;
  close(): void;
}

type Answer = { readonly resolve: (value: never) => void; readonly reject: (problem: Error) => void };
type Send = (message: ToSpreadWorker, handOver?: Transferable[]) => void;

const answers = new Map<number, Answer>();
const listeners = new Map<number, (drawn: SpreadDrawn) => void>();
let charts = 0;
let questions = 0;
let studio: Send | null = null;

const offscreen =
  typeof HTMLCanvasElement !== "undefined" && "transferControlToOffscreen" in HTMLCanvasElement.prototype;

function openStudio(): Send {
  if (!offscreen) return onPage();
  const worker = new Worker(new URL("./spread_worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = (event: MessageEvent<FromSpreadWorker>) => receive(event.data);
  return (message, handOver = []) => worker.postMessage(message, handOver);
}

/** The same code on the page's own thread; fetched only where it is needed. */
function onPage(): Send {
  const host = import("./spread_host").then(({ createSpreadHost }) =>
    createSpreadHost({
      makeCanvas: (width, height) => Object.assign(document.createElement("canvas"), { width, height }),
      nextFrame: (callback) => requestAnimationFrame(callback),
      post: receive,
    }),
  );
  return (message) => host.then((handle) => handle(message));
}

function receive(message: FromSpreadWorker): void {
  if (message.type === "drawn") {
    listeners.get(message.chart)?.(message.drawn);
    return;
  }
  const answer = message.question === null ? undefined : answers.get(message.question);
  if (message.question !== null) answers.delete(message.question);
  if (message.type === "picked") answer?.resolve(message.pick as never);
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
export function openSpread(canvas: HTMLCanvasElement, onDrawn: (drawn: SpreadDrawn) => void): SpreadChart {
  const chart = ++charts;
  studio ??= openStudio();
  const send = studio;
  const handed = offscreen ? canvas.transferControlToOffscreen() : canvas;
  send({ type: "open", chart, canvas: handed }, handed instanceof HTMLCanvasElement ? [] : [handed]);
  let drawings = 0;
  listeners.set(chart, (drawn) => {
    canvas.dataset.drawn = String(++drawings);
    canvas.dataset.steps = String(drawn.steps);
    onDrawn(drawn);
  });
  return {
    setData: (data) => send({ type: "data", chart, data }),
    draw: (scene) => send({ type: "draw", chart, scene }),
    pick: (xPx, yPx) => ask<SpreadPick | null>((question) => send({ type: "pick", chart, question, xPx, yPx })),
    picture: (scene, title, kind, scale) =>
      ask<Blob>((question) => send({ type: "picture", chart, question, scene, title, kind, scale })),
    close() {
      listeners.delete(chart);
      send({ type: "close", chart });
    },
  };
}
