// Bands and lines of a scene, clipped to the plot. Written as steps that can be taken one by one, so that a thousand
// lines do not keep the worker from answering.

import type { LayerData } from "./layers";
import { type LayerView, newPolyline, type Polyline, traceSeries, type View, viewLayer } from "./lines";
import type { Surface } from "./surface";
import type { Scene, SeriesStyle } from "./types";

export const FAINT = 0.25;

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [1, 2]];

export function dashOf(dash: number): number[] {
  return [...(DASHES[dash % DASHES.length] ?? [])];
}

// one for all series of all charts: drawing is never interrupted within a series
const scratch: Polyline = newPolyline();

export type Layers = (id: number) => LayerData | undefined;

/** Yields after every series. */
export function* drawLines(surface: Surface, scene: Scene, layers: Layers, view: View): Generator<void> {
  surface.lineJoin = "bevel";
  surface.lineCap = "butt";
  if (scene.smoothed && scene.faint) yield* drawPass(surface, scene, layers, view, "raw", FAINT);
  yield* drawPass(surface, scene, layers, view, scene.smoothed ? "smoothed" : "raw", 1);
}

function* drawPass(
  surface: Surface,
  scene: Scene,
  layers: Layers,
  view: View,
  which: "raw" | "smoothed",
  alpha: number,
): Generator<void> {
  for (const { id, styles, part } of scene.layers) {
    const layer = layers(id);
    if (layer === undefined || (part !== undefined && part !== which)) continue;
    const seen = viewLayer(layer, which, view);
    for (let series = 0; series < layer.series; series++) {
      const style = styles[series];
      if (style === undefined || !style.visible) continue;
      drawSeries(surface, scene, seen, series, style, alpha);
      yield;
    }
  }
}

export function drawSeries(
  surface: Surface,
  scene: Scene,
  seen: LayerView,
  series: number,
  style: SeriesStyle,
  alpha: number,
): void {
  traceSeries(scratch, seen, series, scene.partition);
  surface.globalAlpha = alpha;
  surface.strokeStyle = style.color;
  surface.lineWidth = style.widthPx;
  surface.setLineDash(dashOf(style.dash));
  strokePolyline(surface, scratch);
}

function strokePolyline(surface: Surface, line: Polyline): void {
  const { xs, ys, length } = line;
  surface.beginPath();
  let broken = true;
  for (let i = 0; i < length; i++) {
    const y = ys[i] as number;
    if (Number.isNaN(y)) {
      broken = true;
    } else if (broken) {
      surface.moveTo(xs[i] as number, y);
      broken = false;
    } else {
      surface.lineTo(xs[i] as number, y);
    }
  }
  surface.stroke();
}
