// Draws the overlay above the lines, without redrawing them: emphasized line, selection with handles, crosshair with a
// dot on each line.

import { dragHandlesOf } from "./drag_handles";
import { hairline } from "./draw_axes";
import { drawSeries, type Layers, surfacePen } from "./draw_lines";
import { inPlot, type Layout, snap } from "./layout";
import { viewLayer } from "./lines";
import { pickLines, spans } from "./pick";
import { toPx } from "./scales";
import { type Surface, within } from "./surface";
import type { Scene } from "./types";

const OUTSIDE = 0.65;
const HALO_PX = 3;
const DOT_PX = 3.5;
// with more lines, dots would hide them
const MOST_DOTS = 60;

export function drawOverlay(surface: Surface, scene: Scene, layout: Layout, layers: Layers): void {
  inPlot(surface, layout, () => {
    drawEmphasised(surface, scene, layout, layers);
    greyOutside(surface, scene, layout);
    if (scene.crosshair !== null) {
      surface.globalAlpha = 0.6;
      drawUpright(surface, scene, layout, scene.crosshair, scene.colors.quiet);
      surface.globalAlpha = 1;
      drawCrossings(surface, scene, layout, layers);
    }
  });
  within(surface, () => drawDragHandles(surface, scene, layout));
}

function drawEmphasised(surface: Surface, scene: Scene, layout: Layout, layers: Layers): void {
  const { emphasised } = scene;
  const layer = emphasised === null ? undefined : layers(emphasised.layer);
  const styles = scene.layers.find(({ id }) => id === emphasised?.layer)?.styles;
  const style = styles?.[emphasised?.series ?? -1];
  if (emphasised === null || layer === undefined || style === undefined) return;
  const seen = viewLayer(layer, scene.lines.smoothed ? "smoothed" : "raw", layout);
  const pen = surfacePen(surface);
  const { series } = emphasised;
  const widthPx = style.widthPx + 1;
  // an outline in the color of the card separates it from other lines
  const rim = { color: scene.colors.background, dash: 0, widthPx: widthPx + HALO_PX, visible: true };
  drawSeries(pen, scene, seen, series, rim, 0.8);
  drawSeries(pen, scene, seen, series, { ...style, widthPx }, 1);
}

function greyOutside(surface: Surface, scene: Scene, layout: Layout): void {
  const { selection } = scene;
  if (selection?.kind !== "range") return;
  const { leftPx, topPx, rightPx, bottomPx } = layout.plot;
  const from = Math.max(leftPx, Math.min(rightPx, toPx(layout.x, selection.lo)));
  const to = Math.max(leftPx, Math.min(rightPx, toPx(layout.x, selection.hi)));
  surface.globalAlpha = OUTSIDE;
  surface.fillStyle = scene.colors.background;
  surface.fillRect(leftPx, topPx, from - leftPx, bottomPx - topPx);
  surface.fillRect(to, topPx, rightPx - to, bottomPx - topPx);
  surface.globalAlpha = 1;
}

function drawUpright(surface: Surface, scene: Scene, layout: Layout, value: number, color: string): void {
  const thin = hairline(scene.ratio);
  const x = snap(toPx(layout.x, value) - thin / 2, scene.ratio);
  surface.fillStyle = color;
  surface.fillRect(x, layout.plot.topPx, thin, layout.plot.bottomPx - layout.plot.topPx);
}

/** Draws a dot on each line that the crosshair meets, at the point nearest to it: its value is in the tooltip. */
function drawCrossings(surface: Surface, scene: Scene, layout: Layout, layers: Layers): void {
  if (scene.crosshair === null) return;
  const at = { xPx: toPx(layout.x, scene.crosshair), yPx: 0 };
  const { total, rows } = pickLines(scene, layout, layers, at, "none", MOST_DOTS);
  if (total > MOST_DOTS) return;
  for (const { layer, series, band, xPx, yPx } of rows) {
    const drawn = scene.layers.find(({ id }) => id === layer);
    const style = band === undefined ? drawn?.styles[series] : drawn?.bands[band];
    const data = layers(layer);
    if (style === undefined || data === undefined) continue;
    if (band === undefined && !spans(data, series, scene.crosshair)) continue;
    for (const [radius, color] of [
      [DOT_PX + 1.5, scene.colors.background],
      [DOT_PX, style.color],
    ] as const) {
      surface.fillStyle = color;
      surface.beginPath();
      surface.arc(xPx, yPx, radius, 0, 2 * Math.PI);
      surface.fill();
    }
  }
}

function drawDragHandles(surface: Surface, scene: Scene, layout: Layout): void {
  for (const { box, label, value } of dragHandlesOf(scene, layout)) {
    surface.globalAlpha = 1;
    drawUpright(surface, scene, layout, value, scene.colors.accent);
    roundedBox(surface, box.leftPx, box.topPx, box.rightPx - box.leftPx, box.bottomPx - box.topPx, 3);
    surface.fill();
    surface.fillStyle = scene.colors.background;
    surface.font = scene.font;
    surface.textAlign = "center";
    surface.textBaseline = "middle";
    surface.fillText(label, (box.leftPx + box.rightPx) / 2, (box.topPx + box.bottomPx) / 2 + 0.5);
  }
}

function roundedBox(surface: Surface, x: number, y: number, width: number, height: number, radius: number): void {
  const quarter = Math.PI / 2;
  surface.beginPath();
  surface.arc(x + radius, y + radius, radius, 2 * quarter, 3 * quarter);
  surface.arc(x + width - radius, y + radius, radius, 3 * quarter, 4 * quarter);
  surface.arc(x + width - radius, y + height - radius, radius, 0, quarter);
  surface.arc(x + radius, y + height - radius, radius, quarter, 2 * quarter);
  surface.closePath();
}
