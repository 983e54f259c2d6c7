// Draws histograms and percentiles, card after card, the newest scene of each. Runs in a worker of its own; in a browser
// without OffscreenCanvas on the page's thread.

import { drawAxes, drawGrid } from "./draw_axes";
import { drawHistograms, drawStandingOut } from "./draw_histograms";
import { drawMoments, drawPercentiles } from "./draw_percentiles";
import { fontSize, inPlot } from "./layout";
import type { AnyCanvas, AnyContext } from "./plate";
import { pickSpread } from "./spread_pick";
import { type Plan, planOf } from "./spread_plan";
import type { FromSpreadWorker, SpreadData, SpreadScene, ToSpreadWorker } from "./spread_types";
import type { Surface } from "./surface";
import { newSvg } from "./svg_surface";

export type SpreadTools = {
  readonly makeCanvas: (width: number, height: number) => AnyCanvas;
  readonly nextFrame: (callback: () => void) => void;
  readonly post: (message: FromSpreadWorker) => void;
};

type Open = {
  readonly chart: number;
  readonly canvas: AnyCanvas;
  data: SpreadData | null;
  scene: SpreadScene | null;
  /** The scene is not on display yet. */
  fresh: boolean;
  /** What it shows, worked out for `key`, and drawn but for what stands out. */
  plan: Plan | null;
  plate: AnyCanvas | null;
  key: string;
};

// the next frame takes what is left: messages are looked at in between
const SLICE_MILLIS = 10;

export function createSpreadHost(tools: SpreadTools): (message: ToSpreadWorker) => void {
  const charts = new Map<number, Open>();
  let scheduled = false;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    tools.nextFrame(frame);
  }

  function frame(): void {
    scheduled = false;
    const end = performance.now() + SLICE_MILLIS;
    for (const open of charts.values()) {
      if (!open.fresh || open.data === null || open.scene === null) continue;
      if (performance.now() >= end) {
        schedule();
        return;
      }
      open.fresh = false;
      try {
        show(open, open.scene, open.data);
      } catch (problem) {
        tools.post({ type: "failed", question: null, reason: String(problem) });
      }
    }
  }

  function show(open: Open, scene: SpreadScene, data: SpreadData): void {
    const { canvas } = open;
    const width = Math.max(1, Math.round(scene.widthPx * scene.ratio));
    const height = Math.max(1, Math.round(scene.heightPx * scene.ratio));
    for (const one of open.plate === null ? [canvas] : [canvas, open.plate]) {
      if (one.width !== width) one.width = width;
      if (one.height !== height) one.height = height;
    }
    // while the pointer moves, only what stands out is drawn anew
    const key = JSON.stringify({ ...scene, pointed: null, chosen: null });
    open.plate ??= tools.makeCanvas(width, height);
    if (open.plan === null || open.key !== key) {
      open.plan = planOf(scene, data);
      open.key = key;
      const context = contextOf(open.plate);
      context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
      drawPlate(context, scene, open.plan, data);
    }
    const context = contextOf(canvas);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(open.plate, 0, 0);
    context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
    drawAbove(context, scene, open.plan, data);
    const { axes, shown, empty } = open.plan;
    tools.post({ type: "drawn", chart: open.chart, drawn: { axes, steps: shown.length, empty } });
  }

  function handle(message: ToSpreadWorker): void {
    if (message.type === "open") {
      const { chart, canvas } = message;
      charts.set(chart, { chart, canvas, data: null, scene: null, fresh: false, plan: null, plate: null, key: "" });
      return;
    }
    const open = charts.get(message.chart);
    if (open === undefined) {
      if ("question" in message) refuse(message.question);
      return;
    }
    switch (message.type) {
      case "data":
        open.data = message.data;
        open.plan = null;
        open.fresh = true;
        schedule();
        return;
      case "draw":
        open.scene = message.scene;
        open.fresh = true;
        schedule();
        return;
      case "pick": {
        const { scene, data } = open;
        const plan = scene === null || data === null ? null : (open.plan ?? planOf(scene, data));
        const pick = scene === null || plan === null ? null : pickSpread(scene, plan, message.xPx, message.yPx);
        tools.post({ type: "picked", question: message.question, pick });
        return;
      }
      case "picture": {
        const { question } = message;
        if (open.data === null) {
          refuse(question);
          return;
        }
        drawSpreadPicture(message, open.data, tools.makeCanvas).then(
          (picture) => tools.post({ type: "picture", question, picture }),
          (problem) => tools.post({ type: "failed", question, reason: String(problem) }),
        );
        return;
      }
      case "close":
        charts.delete(message.chart);
        return;
    }
  }

  /** The chart was closed while the question was on its way, or has nothing to show yet. */
  function refuse(question: number): void {
    tools.post({ type: "failed", question, reason: "there is nothing to draw" });
  }

  return (message) => {
    try {
      handle(message);
    } catch (problem) {
      const question = "question" in message ? message.question : null;
      tools.post({ type: "failed", question, reason: String(problem) });
    }
  };
}

function contextOf(canvas: AnyCanvas): AnyContext {
  const context = canvas.getContext("2d", { alpha: false }) as AnyContext | null;
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}

/** Everything but what stands out. */
function drawPlate(surface: Surface, scene: SpreadScene, plan: Plan, data: SpreadData): void {
  surface.fillStyle = scene.colors.background;
  surface.fillRect(0, 0, scene.widthPx, scene.heightPx);
  const framed = { ...scene, ...plan.axes, selection: null };
  drawGrid(surface, framed, plan.layout);
  inPlot(surface, plan.layout, () => {
    if (data.kind === "histograms") drawHistograms(surface, scene, plan);
    else drawPercentiles(surface, scene, plan, data);
  });
  drawAxes(surface, framed, plan.layout);
}

function drawAbove(surface: Surface, scene: SpreadScene, plan: Plan, data: SpreadData): void {
  inPlot(surface, plan.layout, () => {
    if (data.kind === "histograms") drawStandingOut(surface, scene, plan);
    else drawMoments(surface, scene, plan, data);
  });
}

type PictureOrder = Pick<Extract<ToSpreadWorker, { type: "picture" }>, "scene" | "title" | "kind" | "scale">;

const PAD_PX = 12;

/** A card as a file, its title above, drawn by the same code. */
export async function drawSpreadPicture(
  { scene, title, kind, scale }: PictureOrder,
  data: SpreadData,
  makeCanvas: (width: number, height: number) => AnyCanvas,
): Promise<Blob> {
  const fontPx = fontSize(scene.font);
  const titlePx = Math.ceil(fontPx * 2.2);
  const { widthPx } = scene;
  const heightPx = scene.heightPx + titlePx + PAD_PX;
  const drawn = { ...scene, ratio: kind === "svg" ? 1 : scale, pointed: null };
  const plan = planOf(drawn, data);
  const draw = (surface: Surface): void => {
    surface.fillStyle = scene.colors.background;
    surface.fillRect(0, 0, widthPx, heightPx);
    surface.fillStyle = scene.colors.text;
    surface.font = `600 ${scene.font}`;
    surface.textAlign = "left";
    surface.textBaseline = "middle";
    surface.fillText(title, PAD_PX, titlePx / 2 + 2);
    surface.translate(0, titlePx);
    drawPlate(surface, drawn, plan, data);
    drawAbove(surface, drawn, plan, data);
  };
  if (kind === "svg") {
    const svg = newSvg(widthPx, heightPx);
    draw(svg);
    return new Blob([svg.text()], { type: "image/svg+xml" });
  }
  const canvas = makeCanvas(Math.round(widthPx * scale), Math.round(heightPx * scale));
  const context = contextOf(canvas);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  draw(context);
  return toPng(canvas);
}

function toPng(canvas: AnyCanvas): Promise<Blob> {
  if ("convertToBlob" in canvas) return canvas.convertToBlob({ type: "image/png" });
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("the picture is too large")) : resolve(blob)),
      "image/png",
    );
  });
}
