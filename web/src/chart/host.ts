// Keeps the data of all charts of a page and draws them, newest scene first, card after card. Runs in the worker; in a
// browser without OffscreenCanvas the same code runs on the page's own thread. Here is whose turn it is; what one chart
// looks like is in chart/open_chart.ts, how its lines are drawn in chart/plate_painter.ts.

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

/** What the surroundings provide. */
export type Tools = {
  readonly makeCanvas: MakeCanvas;
  /** Calls back once, at the next frame. */
  readonly nextFrame: (callback: () => void) => void;
  /** Calls back once, after messages that wait. */
  readonly soon: (callback: () => void) => void;
  readonly post: (message: ToPage) => void;
};

type Host = {
  readonly tools: Tools;
  readonly painter: Painter;
  /** In the order of their turns: a chart that was drawn goes to the end. */
  readonly charts: Map<number, OpenChart>;
  /** A frame is requested. */
  scheduled: boolean;
  /** More drawing is requested, after the messages that wait. */
  resuming: boolean;
  /** When a plate was last moved about. */
  movedAt: number;
};

// Drawing all that is due within this needs no preview: the frame is in time anyway.
const DIRECT_MILLIS = 10;
// Scenes of one gesture come closer than this.
const GESTURE_MILLIS = 60;
// Longest stretch of drawing before messages are looked at.
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

/** The chart was closed while the question was on its way. */
function refuse({ tools }: Host, message: ToWorker): void {
  if (!("question" in message)) return;
  tools.post({ type: "failed", question: message.question, reason: "the chart is closed" });
}

function drawScene(host: Host, open: OpenChart, message: Message<"draw">): void {
  const scene = putScene(open, message.scene);
  const newLines = !hasLines(open, scene);
  // new lines alone: there is nothing to show before they are drawn, so no frame is requested
  if (!newLines || !differsInLinesOnly(open, scene)) schedule(host);
  // new lines are drawn at once: waiting for the frame would only put them off
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

/** Moves the old plate to where its lines are in the new scene. */
function preview(host: Host, open: OpenChart): void {
  const { scene } = open;
  const { plate } = open.sides.strong;
  if (scene === null || plate === null || !canStandIn(plate, scene)) return;
  const same = hasLines(open, scene);
  // the old lines at their old place would be drawn, and put on screen, for nothing
  if (!same && differsInLinesOnly(open, scene)) return;
  show(host, open, 0);
  if (same) host.movedAt = performance.now();
}

/** Draws plates until the slice is over; the rest follows after waiting messages. */
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
      // the next stale card has its turn first when this one comes last again
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
  // while someone pans, new plates get one slice a frame: moving the old ones at once matters more
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

/** True when nothing is left to draw in this pass. A chart that cannot be drawn waits for its next scene. */
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
