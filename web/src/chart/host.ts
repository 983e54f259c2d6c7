// Keeps the data of all charts of a page and draws them, newest scene first, card after card. Runs in the worker; in a
// browser without OffscreenCanvas the same code runs on the page's own thread.

import { colorReader } from "./colors";
import { drawAxes, drawGrid } from "./draw_axes";
import { drawBands } from "./draw_bands";
import { drawPass, hasPass, type Layers, type Pass, rasterPen } from "./draw_lines";
import { drawOverlay } from "./draw_overlay";
import { decodeLayer, type LayerData } from "./layers";
import { inPlot, type Layout, layoutOf } from "./layout";
import { drawMarks, newMarks } from "./marks";
import type { SceneNews, StylesNews, ToPage, ToWorker } from "./messages";
import { pickLines } from "./pick";
import { drawPicture } from "./picture";
import {
  type AnyCanvas,
  type AnyContext,
  canStandIn,
  isCrisp,
  marginOf,
  type Plate,
  ratioXOf,
  showPlate,
  showsSameLines,
} from "./plate";
import { clearRaster, newRaster, type Raster, rowsOf } from "./raster";
import type { Layer, Scene, SeriesStyle } from "./types";

/** What the surroundings provide. */
export type Tools = {
  readonly makeCanvas: (width: number, height: number) => AnyCanvas;
  /** Calls back once, at the next frame. */
  readonly nextFrame: (callback: () => void) => void;
  /** Calls back once, after messages that wait. */
  readonly soon: (callback: () => void) => void;
  readonly post: (message: ToPage) => void;
};

type Work = { readonly plate: Plate; readonly steps: Generator<void>; millis: number };

type Open = {
  readonly chart: number;
  readonly canvas: AnyCanvas;
  readonly context: AnyContext;
  readonly layers: Map<number, LayerData>;
  /** Styles of the scene, by their numbers. */
  known: ReadonlyMap<number, readonly SeriesStyle[]>;
  scene: Scene | null;
  layout: Layout | null;
  /** The scene has not been shown in any way yet. */
  fresh: boolean;
  /** The one that was shown last. */
  shown: Scene | null;
  readonly sides: Readonly<Record<Pass, Side>>;
};

/** One pass of a chart: what is drawn, and what is being drawn. */
type Side = {
  readonly pass: Pass;
  plate: Plate | null;
  /** A canvas no longer in use, for the next plate. */
  spare: AnyCanvas | null;
  work: Work | null;
  /** How long the last plate took. */
  millis: number;
};

/** Strong lines of all charts come before faint ones of any: they are what the reader waits for. */
const PASSES: readonly Pass[] = ["strong", "faint"];

// Drawing all that is due within this needs no preview: the frame is in time anyway.
const DIRECT_MILLIS = 10;
// Scenes of one gesture come closer than this.
const GESTURE_MILLIS = 60;
// Longest stretch of drawing before messages are looked at.
const SLICE_MILLIS = 8;
// Rasters not in use that are kept.
const MOST_RASTERS = 4;

export function createHost(tools: Tools): (message: ToWorker) => void {
  const charts = new Map<number, Open>();
  const colorOf = colorReader(tools.makeCanvas);
  const rasters: Raster[] = [];
  let scheduled = false;
  /** When a plate was last moved about. */
  let moved = Number.NEGATIVE_INFINITY;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    tools.nextFrame(frame);
  }

  function frame(): void {
    scheduled = false;
    const due = [...charts.values()].filter((open) => open.fresh);
    for (const open of due) if (upToDate(open)) show(open, 0);
    const waiting = due.filter((open) => open.fresh);
    const expected = waiting.reduce((sum, { sides }) => sum + sides.strong.millis + sides.faint.millis, 0);
    if (expected > DIRECT_MILLIS) {
      for (const open of waiting) {
        const { plate } = open.sides.strong;
        if (open.scene === null || plate === null || !canStandIn(plate, open.scene)) continue;
        const same = showsSameLines(plate, open.scene);
        // the old lines at their old place would be drawn, and put on screen, for nothing
        if (!same && open.shown !== null && looksAlike(open.shown, open.scene)) continue;
        show(open, 0);
        if (same) moved = performance.now();
      }
    }
    workOn();
  }

  /** Draws plates until the slice is over; the rest follows after waiting messages. */
  function workOn(): void {
    const end = performance.now() + SLICE_MILLIS;
    for (const pass of PASSES) {
      for (const open of charts.values()) {
        if (isDone(open, pass)) continue;
        if (!maybeAdvance(open, open.sides[pass], end)) {
          resume();
          return;
        }
        // the next stale card has its turn first when this one comes last again
        charts.delete(open.chart);
        charts.set(open.chart, open);
        if (performance.now() >= end) {
          resume();
          return;
        }
      }
    }
  }

  let resuming = false;

  function resume(): void {
    // while someone pans, new plates get one slice a frame: moving the old ones at once matters more
    if (performance.now() - moved < GESTURE_MILLIS) {
      schedule();
      return;
    }
    if (resuming) return;
    resuming = true;
    tools.soon(() => {
      resuming = false;
      workOn();
    });
  }

  function upToDate(open: Open): boolean {
    return PASSES.every((pass) => isDone(open, pass));
  }

  function isDone({ scene, layout, sides }: Open, pass: Pass): boolean {
    if (scene === null || layout === null || !hasPass(scene, pass)) return true;
    const { plate } = sides[pass];
    return plate !== null && isCrisp(plate, scene, layout);
  }

  /** A chart that cannot be drawn waits for its next scene; the others go on. */
  function maybeAdvance(open: Open, side: Side, end: number): boolean {
    try {
      return advance(open, side, end);
    } catch (problem) {
      side.work = null;
      open.scene = null;
      tools.post({ type: "failed", question: null, reason: String(problem) });
      tools.post({ type: "drawn", chart: open.chart, layers: [], crisp: false, millis: 0 });
      return true;
    }
  }

  /** True when the plate is finished. */
  function advance(open: Open, side: Side, end: number): boolean {
    const { scene, layout } = open;
    if (scene === null || layout === null) return true;
    if (side.work !== null && !worthFinishing(side.work.plate, scene)) abandon(side);
    const work = side.work ?? begin(open, side, scene, layout);
    side.work = work;
    const start = performance.now();
    let done = false;
    do done = work.steps.next().done === true;
    while (!done && performance.now() < end);
    work.millis += performance.now() - start;
    if (!done) return false;
    side.work = null;
    side.spare = side.plate?.canvas ?? null;
    side.plate = work.plate;
    side.millis = work.millis;
    show(open, work.millis);
    return true;
  }

  function begin(open: Open, side: Side, scene: Scene, layout: Layout): Work {
    const { leftPx, topPx, rightPx, bottomPx } = layout.plot;
    const ratioX = ratioXOf(scene, side.pass);
    const width = Math.max(1, Math.round((rightPx - leftPx) * ratioX)) + 2 * marginOf(ratioX);
    const height = Math.max(1, Math.round((bottomPx - topPx) * scene.ratio)) + 2 * marginOf(scene.ratio);
    const canvas = side.spare ?? tools.makeCanvas(width, height);
    side.spare = null;
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const plate = { pass: side.pass, scene, layout, ratioX, canvas };
    return { plate, steps: paintPlate(plate, (id) => open.layers.get(id)), millis: 0 };
  }

  function* paintPlate({ canvas, scene, layout, ratioX, pass }: Plate, layers: Layers): Generator<void> {
    const { ratio } = scene;
    const { leftPx, topPx } = layout.plot;
    const marginX = marginOf(ratioX);
    const marginY = marginOf(ratio);
    const raster = borrowRaster(canvas.width - 2 * marginX, canvas.height - 2 * marginY);
    const marks = newMarks();
    yield* drawPass(rasterPen(raster, ratioX, ratio, leftPx, topPx, colorOf), scene, pass, layers, layout, marks);
    const context = contextOf(canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.putImageData(new ImageData(rowsOf(raster), raster.width, raster.height), marginX, marginY);
    rasters.push(raster);
    if (pass === "faint") return;
    context.setTransform(ratioX, 0, 0, ratio, marginX - leftPx * ratioX, marginY - topPx * ratio);
    context.globalCompositeOperation = "destination-over";
    inPlot(context, layout, () => drawBands(context, scene, layers, layout));
    context.globalCompositeOperation = "source-over";
    drawMarks(context, marks, scene.colors.background);
  }

  /** Cards are mostly of one size, drafts of half the width: their pixels are used again and again. */
  function borrowRaster(width: number, height: number): Raster {
    const at = rasters.findIndex((raster) => raster.width === width && raster.height === height);
    const [found] = at < 0 ? [] : rasters.splice(at, 1);
    if (found === undefined) {
      if (rasters.length >= MOST_RASTERS) rasters.shift(); // of a size that has passed
      return newRaster(width, height);
    }
    clearRaster(found);
    return found;
  }

  /** A plate for a range passed by meanwhile is still the better one to move about. */
  function worthFinishing(plate: Plate, scene: Scene): boolean {
    return canStandIn(plate, scene) && showsSameLines(plate, scene);
  }

  function abandon(side: Side): void {
    side.spare = side.work?.plate.canvas ?? null;
    side.work = null;
  }

  function show(open: Open, millis: number): void {
    const { scene, layout, context } = open;
    if (scene === null || layout === null) return;
    open.fresh = false;
    open.shown = scene;
    const start = performance.now();
    resize(open.canvas, scene);
    context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    context.fillStyle = scene.colors.background;
    context.fillRect(0, 0, scene.widthPx + 1, scene.heightPx + 1);
    drawGrid(context, scene, layout);
    for (const pass of ["faint", "strong"] as const) {
      const { plate } = open.sides[pass];
      if (plate !== null && hasPass(scene, pass) && canStandIn(plate, scene)) showPlate(context, plate, layout);
    }
    drawAxes(context, scene, layout);
    drawOverlay(context, scene, layout, (id) => open.layers.get(id));
    const total = millis + performance.now() - start;
    const crisp = upToDate(open);
    tools.post({ type: "drawn", chart: open.chart, layers: scene.layers.map(({ id }) => id), crisp, millis: total });
  }

  function take(open: Open, news: SceneNews): void {
    const known = new Map<number, readonly SeriesStyle[]>();
    const stylesOf = ({ number, list }: StylesNews): readonly SeriesStyle[] => {
      const found = list ?? known.get(number) ?? open.known.get(number) ?? [];
      known.set(number, found);
      return found;
    };
    const layers = news.layers.map(
      ({ styles, bands, ...layer }): Layer => ({ ...layer, styles: stylesOf(styles), bands: stylesOf(bands) }),
    );
    open.known = known;
    open.scene = { ...news, layers };
    open.layout = layoutOf(open.scene);
    open.fresh = true;
    const { plate } = open.sides.strong;
    const newLines = plate === null || !showsSameLines(plate, open.scene);
    // nothing to show before they are drawn: a frame would be asked for in vain
    if (!newLines || open.shown === null || !looksAlike(open.shown, open.scene)) schedule();
    // new lines are drawn at once: waiting for the frame would only put them off
    if (newLines) resume();
  }

  function handle(message: ToWorker): void {
    if (message.type === "open") {
      const { chart, canvas } = message;
      charts.set(chart, newChart(chart, canvas));
      return;
    }
    const open = charts.get(message.chart);
    if (open === undefined) {
      refuse(message);
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
        take(open, message.scene);
        return;
      case "pick": {
        const { scene, layout } = open;
        const { question, order, limit } = message;
        const found = (id: number): LayerData | undefined => open.layers.get(id);
        const none = { total: 0, rows: [] };
        const picks = scene && layout ? pickLines(scene, layout, found, message, order, limit) : none;
        tools.post({ type: "picked", question, picks });
        return;
      }
      case "picture":
        drawPicture(message, (id) => open.layers.get(id), tools.makeCanvas).then(
          (picture) => tools.post({ type: "picture", question: message.question, picture }),
          (problem) => tools.post({ type: "failed", question: message.question, reason: String(problem) }),
        );
        return;
      case "close":
        charts.delete(message.chart);
        return;
    }
  }

  /** The chart was closed while the question was on its way. */
  function refuse(message: ToWorker): void {
    if (!("question" in message)) return;
    tools.post({ type: "failed", question: message.question, reason: "the chart is closed" });
  }

  return (message) => {
    try {
      handle(message);
    } catch (problem) {
      tools.post({
        type: "failed",
        question: "question" in message ? message.question : null,
        reason: String(problem),
      });
    }
  };
}

function newChart(chart: number, canvas: AnyCanvas): Open {
  // opaque: nothing shines through a card, and text is drawn sharper
  const context = contextOf(canvas, { alpha: false });
  const sides = { faint: newSide("faint"), strong: newSide("strong") };
  return {
    chart,
    canvas,
    context,
    layers: new Map(),
    known: new Map(),
    scene: null,
    layout: null,
    fresh: false,
    shown: null,
    sides,
  };
}

/** All but the lines. */
function looksAlike(a: Scene, b: Scene): boolean {
  // scenes come as copies, whose parts are equal but never the same; NaN and infinities do not matter here
  return JSON.stringify({ ...a, layers: [] }) === JSON.stringify({ ...b, layers: [] });
}

function newSide(pass: Pass): Side {
  return { pass, plate: null, spare: null, work: null, millis: 0 };
}

export function contextOf(canvas: AnyCanvas, settings?: CanvasRenderingContext2DSettings): AnyContext {
  const context = canvas.getContext("2d", settings) as AnyContext | null;
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}

function resize(canvas: AnyCanvas, scene: Scene): void {
  const width = Math.max(1, Math.round(scene.widthPx * scene.ratio));
  const height = Math.max(1, Math.round(scene.heightPx * scene.ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
