// Draws the areas of grouped runs, from low to high. Their center lines are drawn with the other lines.

import { type Layers, layersIn } from "./draw_lines";
import type { Bands } from "./layers";
import type { Layout } from "./layout";
import { toPx } from "./scales";
import type { Surface } from "./surface";
import type { Scene } from "./types";

const AREA = 0.18;

export function drawBands(surface: Surface, scene: Scene, layers: Layers, layout: Layout): void {
  for (const { id, bands } of layersIn(scene, "strong")) {
    const layer = layers(id);
    if (layer === undefined) continue;
    bands.forEach((style, band) => {
      if (!style.visible) return;
      surface.globalAlpha = AREA;
      surface.fillStyle = style.color;
      areaOf(surface, layer.bands, band, layout);
      surface.fill();
    });
  }
  surface.globalAlpha = 1;
}

/** Traces the low side forward and the high side back; after a gap a new area begins. */
function areaOf(surface: Surface, bands: Bands, band: number, { x, y }: Layout): void {
  const end = bands.end[band] ?? 0;
  const usable = (i: number): boolean => {
    const low = toPx(y, bands.low[i] as number);
    return Number.isFinite(low) && Number.isFinite(toPx(y, bands.high[i] as number)) && Number.isFinite(bands.x[i]);
  };
  surface.beginPath();
  for (let from = bands.start[band] ?? 0; from < end; ) {
    if (!usable(from)) {
      from++;
      continue;
    }
    let to = from;
    surface.moveTo(toPx(x, bands.x[from] as number), toPx(y, bands.low[from] as number));
    for (; to < end && usable(to); to++)
      surface.lineTo(toPx(x, bands.x[to] as number), toPx(y, bands.low[to] as number));
    for (let i = to - 1; i >= from; i--)
      surface.lineTo(toPx(x, bands.x[i] as number), toPx(y, bands.high[i] as number));
    surface.closePath();
    from = to;
  }
}
