// Draws histograms and percentiles: in two layers on the card, or as a file with a title above, with the same code.

import { drawAxes, drawGrid } from "./draw_axes";
import { drawHistograms, drawStandingOut } from "./draw_histograms";
import { drawMoments, drawPercentiles } from "./draw_percentiles";
import { fontSize, inPlot } from "./layout";
import type { AnyCanvas, AnyContext } from "./plate";
import { toPng } from "./png";
import { type Plan, planOf } from "./spread_plan";
import type { SpreadData, SpreadScene, ToSpreadWorker } from "./spread_types";
import type { Surface } from "./surface";
import { newSvg } from "./svg_surface";

export function spreadContext(canvas: AnyCanvas): AnyContext {
  const context = canvas.getContext("2d", { alpha: false }) as AnyContext | null;
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}

/** Draws everything except the hovered and selected steps. */
export function drawPlate(surface: Surface, scene: SpreadScene, plan: Plan, data: SpreadData): void {
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

/** Draws the hovered and selected steps. */
export function drawAbove(surface: Surface, scene: SpreadScene, plan: Plan, data: SpreadData): void {
  inPlot(surface, plan.layout, () => {
    if (data.kind === "histograms") drawStandingOut(surface, scene, plan);
    else drawMoments(surface, scene, plan, data);
  });
}

type PictureOrder = Pick<Extract<ToSpreadWorker, { type: "picture" }>, "scene" | "title" | "kind" | "scale">;

const PAD_PX = 12;

/** Exports a card as a file with its title above, drawn by the same code. */
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
  const context = spreadContext(canvas);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  draw(context);
  return toPng(canvas);
}
