// The page's side of a chart of histograms or percentiles: sends canvas, data and scenes to the drawing worker.

import { bridgeTo, type Failure, type OpenPort, pagePort, workerPort } from "../base/worker_bridge";
import { handOver, offscreen, PAGE_TOOLS, reportFailure } from "./offscreen";
import type {
  FromSpreadWorker,
  SpreadData,
  SpreadDrawn,
  SpreadPick,
  SpreadScene,
  ToSpreadWorker,
} from "./spread_types";

export interface SpreadChart {
  /** The data are copied; the caller keeps them. */
  setData(data: SpreadData): void;
  /** Only the newest scene is drawn. */
  draw(scene: SpreadScene): void;
  pick(xPx: number, yPx: number): Promise<SpreadPick | null>;
  picture(scene: SpreadScene, title: string, kind: "png" | "svg", scale: number): Promise<Blob>;
  close(): void;
}

const listeners = new Map<number, (drawn: SpreadDrawn) => void>();
let charts = 0;

const openPort: OpenPort<ToSpreadWorker, FromSpreadWorker> = offscreen
  ? workerPort(() => new Worker(new URL("./spread_worker.ts", import.meta.url), { type: "module" }))
  : pagePort(async (post) => (await import("./spread_host")).createSpreadHost({ ...PAGE_TOOLS, post }));

const { send, ask } = bridgeTo<ToSpreadWorker, FromSpreadWorker>(openPort, receive);

function receive(message: FromSpreadWorker | Failure): void {
  if (message.type === "failed") reportFailure(message.reason);
  else if (message.type === "drawn") listeners.get(message.chart)?.(message.drawn);
}

/** A canvas can be transferred only once: open it once. */
export function openSpread(element: HTMLCanvasElement, onDrawn: (drawn: SpreadDrawn) => void): SpreadChart {
  const chart = ++charts;
  const { canvas, transfer } = handOver(element);
  send({ type: "open", chart, canvas }, transfer);
  let drawings = 0;
  listeners.set(chart, (drawn) => {
    element.dataset.drawn = String(++drawings);
    element.dataset.steps = String(drawn.steps);
    onDrawn(drawn);
  });
  return {
    setData: (data) => send({ type: "data", chart, data }),
    draw: (scene) => send({ type: "draw", chart, scene }),
    pick: async (xPx, yPx) => (await ask("picked", (question) => ({ type: "pick", chart, question, xPx, yPx }))).pick,
    picture: async (scene, title, kind, scale) =>
      (await ask("picture", (question) => ({ type: "picture", chart, question, scene, title, kind, scale }))).picture,
    close() {
      listeners.delete(chart);
      send({ type: "close", chart });
    },
  };
}
