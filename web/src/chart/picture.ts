// Exports a chart as a file: title above, legend below, drawn by the same code as the card on screen.

import { drawAxes, drawGrid } from "./draw_axes";
import { drawBands } from "./draw_bands";
import { dashOf, drawPass, hasPass, type Layers, surfacePen } from "./draw_lines";
import { drawOverlay } from "./draw_overlay";
import { fontSize, inPlot, layoutOf, textWidth } from "./layout";
import { drawMarks, newMarks } from "./marks";
import type { AnyCanvas, AnyContext } from "./plate";
import { toPng } from "./png";
import type { Surface } from "./surface";
import { newSvg } from "./svg_surface";
import type { Legend, Scene } from "./types";

type Order = {
  readonly scene: Scene;
  readonly legend: Legend;
  readonly kind: "png" | "svg";
  readonly scale: number;
};

const PAD_PX = 12;
const SWATCH_PX = 18;

type Entry = {
  readonly name: string;
  readonly color: string;
  readonly dash: number;
  readonly x: number;
  readonly y: number;
};

export async function drawPicture(
  order: Order,
  layers: Layers,
  makeCanvas: (width: number, height: number) => AnyCanvas,
): Promise<Blob> {
  const { scene, legend, kind } = order;
  const scale = kind === "svg" ? 1 : order.scale;
  const fontPx = fontSize(scene.font);
  const titlePx = legend.title === "" ? 0 : Math.ceil(fontPx * 2.2);
  const entries = placeEntries(legend, scene.widthPx - 2 * PAD_PX, fontPx);
  const lines = entries.length === 0 ? 0 : (entries.at(-1)?.y ?? 0) + 1;
  const legendPx = lines === 0 ? 0 : Math.ceil(lines * fontPx * 1.6) + PAD_PX / 2;
  const widthPx = scene.widthPx;
  const heightPx = scene.heightPx + titlePx + legendPx + PAD_PX;
  const drawn = { ...scene, ratio: scale };
  const draw = (surface: Surface): void => {
    surface.fillStyle = scene.colors.background;
    surface.fillRect(0, 0, widthPx, heightPx);
    if (titlePx > 0) drawTitle(surface, drawn, legend.title, fontPx);
    surface.translate(0, titlePx);
    drawChart(surface, drawn, layers);
    surface.translate(0, scene.heightPx + PAD_PX / 2);
    drawLegend(surface, drawn, entries, fontPx);
  };
  if (kind === "svg") {
    const svg = newSvg(widthPx, heightPx);
    draw(svg);
    return new Blob([svg.text()], { type: "image/svg+xml" });
  }
  const canvas = makeCanvas(Math.ceil(widthPx * scale), Math.ceil(heightPx * scale));
  const context = canvas.getContext("2d") as AnyContext | null;
  if (context === null) throw new Error("the browser gives no drawing context");
  context.scale(scale, scale);
  draw(context);
  return toPng(canvas);
}

/** Draws the whole scene at once, without plates. */
export function drawChart(surface: Surface, scene: Scene, layers: Layers): void {
  const layout = layoutOf(scene);
  drawGrid(surface, scene, layout);
  const marks = newMarks();
  inPlot(surface, layout, () => {
    drawBands(surface, scene, layers, layout);
    for (const pass of ["faint", "strong"] as const) {
      if (!hasPass(scene, pass)) continue;
      for (const _ of drawPass(surfacePen(surface), scene, pass, layers, layout, marks));
    }
  });
  drawMarks(surface, marks, scene.colors.background);
  drawAxes(surface, scene, layout);
  drawOverlay(surface, scene, layout, layers);
}

function drawTitle(surface: Surface, scene: Scene, title: string, fontPx: number): void {
  const size = Math.round(fontPx * 1.25);
  surface.font = `600 ${scene.font.replace(/[\d.]+px/, `${size}px`)}`;
  surface.fillStyle = scene.colors.text;
  surface.textAlign = "left";
  surface.textBaseline = "middle";
  surface.fillText(title, PAD_PX, fontPx * 1.2);
}

/** Places entries side by side and wraps them; y is the number of the line. */
function placeEntries(legend: Legend, widthPx: number, fontPx: number): readonly Entry[] {
  let x = 0;
  let y = 0;
  return legend.entries.map(({ name: whole, color, dash }) => {
    const name = shortened(whole, widthPx - SWATCH_PX - 6, fontPx);
    const width = SWATCH_PX + 6 + textWidth(name, fontPx);
    if (x > 0 && x + width > widthPx) {
      x = 0;
      y++;
    }
    const placed = { name, color, dash, x, y };
    x += width + 16;
    return placed;
  });
}

/** Shortens a name in the middle: names of runs differ at their ends. */
function shortened(name: string, widthPx: number, fontPx: number): string {
  if (textWidth(name, fontPx) <= widthPx) return name;
  const characters = [...name];
  let keep = characters.length;
  let text = name;
  while (keep > 2 && textWidth(text, fontPx) > widthPx) {
    keep = Math.floor(keep * 0.95);
    text = `${characters.slice(0, Math.floor(keep / 2)).join("")}…${characters.slice(-Math.ceil(keep / 2)).join("")}`;
  }
  return text;
}

function drawLegend(surface: Surface, scene: Scene, entries: readonly Entry[], fontPx: number): void {
  surface.font = scene.font;
  surface.textAlign = "left";
  surface.textBaseline = "middle";
  surface.lineWidth = 2;
  for (const { name, color, dash, x, y } of entries) {
    const middle = (y + 0.5) * fontPx * 1.6;
    surface.strokeStyle = color;
    surface.setLineDash(dashOf(dash));
    surface.beginPath();
    surface.moveTo(PAD_PX + x, middle);
    surface.lineTo(PAD_PX + x + SWATCH_PX, middle);
    surface.stroke();
    surface.fillStyle = scene.colors.text;
    surface.fillText(name, PAD_PX + x + SWATCH_PX + 6, middle);
  }
}
