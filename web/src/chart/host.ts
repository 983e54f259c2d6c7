// Keeps the data of all charts of a page and draws them, newest scene first, card after card. It runs in the worker; in
// a browser without OffscreenCanvas the same code runs on the page's own thread. This file decides which chart is drawn
// next; chart/open_chart.ts draws one chart, chart/plate_painter.ts its lines.

import { decodeLayer } from "./layers";
import type { ToPage, ToWorker } from "./messages";
import {
  differsInLinesOnly,
  hasLines,
  isDone,
  isUpToDate,
  newChart,
  type OpenChart,
  PASSES,
  putScene,
  type Side,
  showChart,
} from "./open_chart";
import { pickLines } from "./pick";
import { drawPicture } from "./picture";
import { canStandIn } from "./plate";
import { advance, type MakeCanvas, newPainter, type Painter } from "./plate_painter";

/** Functions that the environment (worker or page) provides. */
export type Tools = {
  readonly makeCanvas: MakeCanvas;
  /** Calls the callback once, at the next frame. */
  readonly nextFrame: (callback: () => void) => void;
  /** Calls the callback once, after the waiting messages. */
  readonly soon: (callback: () => void) => void;
  readonly post: (message: ToPage) => void;
};

type Host = {
  readonly tools: Tools;
  readonly painter: Painter;
  /** In the order in which they are drawn: a drawn chart moves to the end. */
  readonly charts: Map<number, OpenChart>;
  /** A frame is requested. */
  scheduled: boolean;
  /** More drawing is scheduled, after the waiting messages. */
  resuming: boolean;
  /** When a plate was last moved. */
  movedAt: number;
};

// If everything due can be drawn within this time, no preview is needed.
const DIRECT_MILLIS = 10;
// Scenes of one gesture arrive in shorter intervals than this.
const GESTURE_MILLIS = 60;
// Longest time of drawing before messages are handled.
const SLICE_MILLIS = 8;

export function createHost(tools: Tools): (message: ToWorker) => void {
  const host: Host = {
    tools,
    painter: newPainter(tools.makeCanvas),
    charts: new Map(),
    scheduled: false,
    resuming: false,
    movedAt: Number.NEGATIVE_INFINITY,
  };
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

function handle(host: Host, message: ToWorker): void {
  if (message.type === "open") {
    host.charts.set(message.chart, newChart(message.chart, message.canvas));
    return;
  }
  const open = host.charts.get(message.chart);
  if (open === undefined) {
    refuse(host, message);
    return;
  }
  switch (message.type) {
    case "add":
      open.layers.set(message.id, decodeLayer(message.id, message.frame));
      return;
    case "remove":
      open.layers.delete(message.id);
      return;
    case "draw":
      drawScene(host, open, message);
      return;
    case "pick":
      answerPick(host, open, message);
      return;
    case "picture":
      answerPicture(host, open, message);
      return;
    case "close":
      host.charts.delete(message.chart);
      return;
  }
}

type Message<Type extends ToWorker["type"]> = Extract<ToWorker, { readonly type: Type }>;

/** The chart was closed before the request arrived. */
function refuse({ tools }: Host, message: ToWorker): void {
  if (!("question" in message)) return;
  tools.post({ type: "failed", question: message.question, reason: "the chart is closed" });
}

function drawScene(host: Host, open: OpenChart, message: Message<"draw">): void {
  const scene = putScene(open, message.scene);
  const newLines = !hasLines(open, scene);
  // only the lines are new: there is nothing to show before they are drawn, so no frame is requested
  if (!newLines || !differsInLinesOnly(open, scene)) schedule(host);
  // new lines are drawn immediately: waiting for the frame would only delay them
  if (newLines) resume(host);
}

function answerPick({ tools }: Host, { scene, layout, layerOf }: OpenChart, message: Message<"pick">): void {
  const { question, order, limit } = message;
  const none = { total: 0, rows: [] };
  const picks = scene && layout ? pickLines(scene, layout, layerOf, message, order, limit) : none;
  tools.post({ type: "picked", question, picks });
}

function answerPicture({ tools }: Host, { layerOf }: OpenChart, message: Message<"picture">): void {
  const { question } = message;
  drawPicture(message, layerOf, tools.makeCanvas).then(
    (picture) => tools.post({ type: "picture", question, picture }),
    (problem) => tools.post({ type: "failed", question, reason: String(problem) }),
  );
}

// ---- turns

function schedule(host: Host): void {
  if (host.scheduled) return;
  host.scheduled = true;
  host.tools.nextFrame(() => frame(host));
}

function frame(host: Host): void {
  host.scheduled = false;
  const due = [...host.charts.values()].filter((open) => open.fresh);
  for (const open of due) if (isUpToDate(open)) show(host, open, 0);
  const waiting = due.filter((open) => open.fresh);
  const expected = waiting.reduce((sum, { sides }) => sum + sides.strong.millis + sides.faint.millis, 0);
  if (expected > DIRECT_MILLIS) for (const open of waiting) preview(host, open);
  work(host);
}

/** Moves the old plate to the position of its lines in the new scene. */
function preview(host: Host, open: OpenChart): void {
  const { scene } = open;
  const { plate } = open.sides.strong;
  if (scene === null || plate === null || !canStandIn(plate, scene)) return;
  const same = hasLines(open, scene);
  // showing the old lines at their old position again would be wasted work
  if (!same && differsInLinesOnly(open, scene)) return;
  show(host, open, 0);
  if (same) host.movedAt = performance.now();
}

/** Draws plates until the time slice is over; the rest follows after the waiting messages. */
function work(host: Host): void {
  const { charts } = host;
  const end = performance.now() + SLICE_MILLIS;
  for (const pass of PASSES) {
    for (const open of charts.values()) {
      if (isDone(open, pass)) continue;
      if (!maybeAdvance(host, open, open.sides[pass], end)) {
        resume(host);
        return;
      }
      // move this chart to the end, so that the next stale one is drawn first
      charts.delete(open.chart);
      charts.set(open.chart, open);
      if (performance.now() >= end) {
        resume(host);
        return;
      }
    }
  }
}

function resume(host: Host): void {
  // while the user pans, new plates get one slice per frame: moving the old ones immediately is more important
  if (performance.now() - host.movedAt < GESTURE_MILLIS) {
    schedule(host);
    return;
  }
  if (host.resuming) return;
  host.resuming = true;
  host.tools.soon(() => {
    host.resuming = false;
    work(host);
  });
}

/** Returns true if nothing is left to draw in this pass. A chart that cannot be drawn waits for its next scene. */
function maybeAdvance(host: Host, open: OpenChart, side: Side, end: number): boolean {
  const { scene, layout } = open;
  if (scene === null || layout === null) return true;
  try {
    if (!advance(host.painter, side, scene, layout, open.layerOf, end)) return false;
    show(host, open, side.millis);
    return true;
  } catch (problem) {
    side.work = null;
    open.scene = null;
    host.tools.post({ type: "failed", question: null, reason: String(problem) });
    host.tools.post({ type: "drawn", chart: open.chart, layers: [], crisp: false, millis: 0 });
    return true;
  }
}

function show({ tools }: Host, open: OpenChart, plateMillis: number): void {
  const { scene, layout, chart } = open;
  if (scene === null || layout === null) return;
  const start = performance.now();
  showChart(open, scene, layout);
  const millis = plateMillis + performance.now() - start;
  tools.post({ type: "drawn", chart, layers: scene.layers.map(({ id }) => id), crisp: isUpToDate(open), millis });
}
