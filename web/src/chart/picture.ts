// Exports a chart as a file: title above, legend in columns at the right, drawn by the same code as the card on screen.

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
  /** Its size is that of the picture; only a long legend makes the picture wider. */
  readonly scene: Scene;
  readonly legend: Legend;
  readonly kind: "png" | "svg";
  readonly scale: number;
};

const PAD_PX = 12;
const SWATCH_PX = 18;
const LINE_EM = 1.6;

const COLUMN_GAP_PX = 16;
// the plot is never narrower than this share of the picture
const LEAST_PLOT = 0.5;
// names are complete unless they are longer than a line of a book
const WIDEST_NAME_PX = 1200;

type Entry = Legend["entries"][number] & { readonly xPx: number; readonly line: number };

export async function drawPicture(
  order: Order,
  layers: Layers,
  makeCanvas: (width: number, height: number) => AnyCanvas,
): Promise<Blob> {
  const { scene, legend, kind } = order;
  const scale = kind === "svg" ? 1 : order.scale;
  const fontPx = fontSize(scene.font);
  const titlePx = legend.title === "" ? 0 : Math.ceil(fontPx * 2.2);
  const { heightPx } = scene;
  const { entries, widthPx: legendPx } = placeEntries(legend, heightPx - titlePx - 2 * PAD_PX, fontPx);
  const widthPx = Math.max(scene.widthPx, Math.ceil(scene.widthPx * LEAST_PLOT + legendPx));
  const drawn = { ...scene, widthPx: widthPx - legendPx, heightPx: heightPx - titlePx, ratio: scale };
  const draw = (surface: Surface): void => {
    surface.fillStyle = scene.colors.background;
    surface.fillRect(0, 0, widthPx, heightPx);
    if (titlePx > 0) drawTitle(surface, drawn, legend.title, fontPx);
    surface.translate(0, titlePx);
    drawChart(surface, drawn, layers);
    surface.translate(drawn.widthPx, PAD_PX);
    drawLegend(surface, drawn, entries, fontPx);
  };
  if (kind === "svg") {
    const svg = newSvg(widthPx, heightPx);
    draw(svg);
    return new Blob([svg.text()], { type: "image/svg+xml" });
  }
  const canvas = makeCanvas(Math.round(widthPx * scale), Math.round(heightPx * scale));
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

/** Places entries below each other, in as many columns as needed. */
function placeEntries(
  legend: Legend,
  heightPx: number,
  fontPx: number,
): { readonly entries: readonly Entry[]; readonly widthPx: number } {
  const perColumn = Math.max(1, Math.floor(heightPx / (fontPx * LINE_EM)));
  const entries: Entry[] = [];
  let xPx = 0;
  for (let from = 0; from < legend.entries.length; from += perColumn) {
    const column = legend.entries.slice(from, from + perColumn).map((entry, line) => ({
      ...entry,
      name: shortened(entry.name, WIDEST_NAME_PX, fontPx),
      xPx,
      line,
    }));
    entries.push(...column);
    const widest = Math.max(...column.map(({ name }) => textWidth(name, fontPx)));
    xPx += SWATCH_PX + 6 + widest + COLUMN_GAP_PX;
  }
  return { entries, widthPx: Math.ceil(xPx) };
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
  for (const { name, color, dash, xPx, line } of entries) {
    const middle = (line + 0.5) * fontPx * LINE_EM;
    surface.strokeStyle = color;
    surface.setLineDash(dashOf(dash));
    surface.beginPath();
    surface.moveTo(xPx, middle);
    surface.lineTo(xPx + SWATCH_PX, middle);
    surface.stroke();
    surface.fillStyle = scene.colors.text;
    surface.fillText(name, xPx + SWATCH_PX + 6, middle);
  }
}
