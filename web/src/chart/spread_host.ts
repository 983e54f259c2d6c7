// Draws histograms and percentiles, card after card, the newest scene of each. It runs in its own worker; in a browser
// without OffscreenCanvas it runs on the page's thread.

import type { AnyCanvas } from "./plate";
import { pickSpread } from "./spread_pick";
import { drawAbove, drawPlate, drawSpreadPicture, spreadContext } from "./spread_picture";
import { type Plan, planOf } from "./spread_plan";
import type { FromSpreadWorker, SpreadData, SpreadScene, ToSpreadWorker } from "./spread_types";

export type SpreadTools = {
  readonly makeCanvas: (width: number, height: number) => AnyCanvas;
  readonly nextFrame: (callback: () => void) => void;
  readonly post: (message: FromSpreadWorker) => void;
};

type OpenSpread = {
  readonly chart: number;
  readonly canvas: AnyCanvas;
  data: SpreadData | null;
  scene: SpreadScene | null;
  /** The scene is not shown yet. */
  fresh: boolean;
  /** Bins and axes for `key` and the data. Null if one of them has changed. */
  plan: Plan | null;
  /** The chart without the hovered and selected steps, drawn for `key`. */
  plate: AnyCanvas | null;
  key: string;
};

type Host = {
  readonly tools: SpreadTools;
  readonly charts: Map<number, OpenSpread>;
  /** A frame is requested. */
  scheduled: boolean;
};

// longest drawing time per frame; the rest waits for the next frame, and messages are handled in between
const SLICE_MILLIS = 10;

export function createSpreadHost(tools: SpreadTools): (message: ToSpreadWorker) => void {
  const host: Host = { tools, charts: new Map(), scheduled: false };
  return (message) => {
    try {
      handle(host, message);
    } catch (problem) {
      const question = "question" in message ? message.question : null;
      tools.post({ type: "failed", question, reason: String(problem) });
    }
  };
}

// ---- messages

function handle(host: Host, message: ToSpreadWorker): void {
  const { charts } = host;
  if (message.type === "open") {
    const { chart, canvas } = message;
    charts.set(chart, { chart, canvas, data: null, scene: null, fresh: false, plan: null, plate: null, key: "" });
    return;
  }
  const open = charts.get(message.chart);
  if (open === undefined) {
    if ("question" in message) refuse(host, message.question);
    return;
  }
  switch (message.type) {
    case "data":
      open.data = message.data;
      open.plan = null;
      schedule(host, open);
      return;
    case "draw":
      open.scene = message.scene;
      schedule(host, open);
      return;
    case "pick":
      answerPick(host, open, message);
      return;
    case "picture":
      answerPicture(host, open, message);
      return;
    case "close":
      charts.delete(message.chart);
      return;
  }
}

type Message<Type extends ToSpreadWorker["type"]> = Extract<ToSpreadWorker, { readonly type: Type }>;

/** The chart was closed before the request arrived, or has nothing to show yet. */
function refuse({ tools }: Host, question: number): void {
  tools.post({ type: "failed", question, reason: "there is nothing to draw" });
}

function answerPick({ tools }: Host, open: OpenSpread, { question, xPx, yPx }: Message<"pick">): void {
  const { scene, data } = open;
  const plan = scene === null || data === null ? null : (open.plan ?? planOf(scene, data));
  const pick = scene === null || plan === null ? null : pickSpread(scene, plan, xPx, yPx);
  tools.post({ type: "picked", question, pick });
}

function answerPicture(host: Host, { data }: OpenSpread, message: Message<"picture">): void {
  const { tools } = host;
  const { question } = message;
  if (data === null) {
    refuse(host, question);
    return;
  }
  drawSpreadPicture(message, data, tools.makeCanvas).then(
    (picture) => tools.post({ type: "picture", question, picture }),
    (problem) => tools.post({ type: "failed", question, reason: String(problem) }),
  );
}

// ---- drawing

function schedule(host: Host, open: OpenSpread): void {
  open.fresh = true;
  requestFrame(host);
}

function requestFrame(host: Host): void {
  if (host.scheduled) return;
  host.scheduled = true;
  host.tools.nextFrame(() => frame(host));
}

function frame(host: Host): void {
  host.scheduled = false;
  const end = performance.now() + SLICE_MILLIS;
  for (const open of host.charts.values()) {
    if (!open.fresh || open.data === null || open.scene === null) continue;
    if (performance.now() >= end) {
      requestFrame(host);
      return;
    }
    open.fresh = false;
    try {
      show(host, open, open.scene, open.data);
    } catch (problem) {
      host.tools.post({ type: "failed", question: null, reason: String(problem) });
    }
  }
}

function show({ tools }: Host, open: OpenSpread, scene: SpreadScene, data: SpreadData): void {
  const { canvas } = open;
  const width = Math.max(1, Math.round(scene.widthPx * scene.ratio));
  const height = Math.max(1, Math.round(scene.heightPx * scene.ratio));
  open.plate ??= tools.makeCanvas(width, height);
  for (const one of [canvas, open.plate]) {
    if (one.width !== width) one.width = width;
    if (one.height !== height) one.height = height;
  }
  // while the pointer moves, only the hovered step is redrawn
  const key = JSON.stringify({ ...scene, pointed: null, chosen: null });
  if (open.plan === null || open.key !== key) {
    open.plan = planOf(scene, data);
    open.key = key;
    const context = spreadContext(open.plate);
    context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    drawPlate(context, scene, open.plan, data);
  }
  const context = spreadContext(canvas);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.drawImage(open.plate, 0, 0);
  context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
  drawAbove(context, scene, open.plan, data);
  const { axes, shown, empty } = open.plan;
  tools.post({ type: "drawn", chart: open.chart, drawn: { axes, steps: shown.length, empty } });
}
