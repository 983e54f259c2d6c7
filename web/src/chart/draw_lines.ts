// Draws the lines of a scene: first the faint ones, then the strong ones on top. Drawing is a generator that yields
// after every line, so that a thousand lines do not block messages to the worker.

import type { LayerData } from "./layers";
import type { Layout } from "./layout";
import { type LayerView, newPolyline, type Polyline, traceBand, traceSeries, viewLayer, type Which } from "./lines";
import { addOutlierColumns, collectMarks, type Marks, mustTrace } from "./marks";
import { type Raster, type Rgba, type Stroke, strokeLine } from "./raster";
import { strokeColumns } from "./raster_columns";
import type { LineLook } from "./scene";
import type { Surface } from "./surface";
import type { Layer, Scene, SeriesStyle } from "./types";

/** Draws lines onto a surface, or directly into pixels. */
export type Pen = {
  readonly line: (line: Polyline, style: SeriesStyle, alpha: number) => void;
  /** A faster way for series encoded as columns; returns false if the line must be traced. */
  readonly maybeColumns?: (seen: LayerView, series: number, style: SeriesStyle, alpha: number) => boolean;
};

export type Layers = (id: number) => LayerData | undefined;

const FAINT = 0.25;

const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3], [12, 4], [1, 2]];

export function dashOf(dash: number): number[] {
  return [...(DASHES[dash % DASHES.length] ?? [])];
}

// shared by all series of all charts: drawing is never interrupted within a series
const scratch: Polyline = newPolyline();

/** Lines are drawn in two passes: first the unsmoothed ones faintly, then the main lines on top. */
export type Pass = "faint" | "strong";

export function hasPass(scene: Scene, pass: Pass): boolean {
  return pass === "strong" || (scene.lines.smoothed && scene.lines.faint);
}

/**
 * Returns the layers that a pass draws: some responses have only smoothed lines, because the raw ones are loaded
 * already.
 */
export function layersIn(scene: Scene, pass: Pass): readonly Layer[] {
  const which = whichIn(scene, pass);
  return scene.layers.filter(({ part }) => part === undefined || part === which);
}

function whichIn(scene: Scene, pass: Pass): Which {
  return pass === "strong" && scene.lines.smoothed ? "smoothed" : "raw";
}

/** Yields after every line. Marks of the strong lines are added to `marks`. */
export function* drawPass(
  pen: Pen,
  scene: Scene,
  pass: Pass,
  layers: Layers,
  layout: Layout,
  marks: Marks,
): Generator<void> {
  const which = whichIn(scene, pass);
  const shown = layersIn(scene, pass);
  for (const { id, styles, dots } of shown) {
    const layer = layers(id);
    if (layer === undefined) continue;
    const look = dots === true ? { ...scene.lines, lastPoint: true } : scene.lines;
    const seen = viewLayer(layer, which, layout);
    for (let series = 0; series < layer.series; series++) {
      const style = styles[series];
      if (style === undefined || !style.visible) continue;
      drawSeries(pen, scene, seen, series, style, pass === "faint" ? FAINT : 1);
      if (pass === "strong") markSeries(marks, look, seen, series, style.color, layout);
      yield;
    }
  }
  if (pass === "strong") yield* drawMiddles(pen, shown, layers, layout);
}

/** Draws the center lines of bands. */
function* drawMiddles(pen: Pen, shown: readonly Layer[], layers: Layers, layout: Layout): Generator<void> {
  for (const { id, bands } of shown) {
    const layer = layers(id);
    for (let band = 0; layer !== undefined && band < bands.length; band++) {
      const style = bands[band];
      if (style === undefined || !style.visible || style.widthPx === 0) continue;
      traceBand(scratch, layer, band, layout);
      pen.line(scratch, style, 1);
      yield;
    }
  }
}

export function drawSeries(
  pen: Pen,
  scene: Scene,
  seen: LayerView,
  series: number,
  style: SeriesStyle,
  alpha: number,
): void {
  if (pen.maybeColumns?.(seen, series, style, alpha)) return;
  traceSeries(scratch, seen, series, scene.lines.partition);
  pen.line(scratch, style, alpha);
}

function markSeries(
  marks: Marks,
  look: LineLook,
  seen: LayerView,
  series: number,
  color: string,
  layout: Layout,
): void {
  if (look.edgeMarks) addOutlierColumns(marks, seen, series, color, layout.plot);
  if (!mustTrace(look, seen, series)) return;
  traceSeries(scratch, seen, series, look.partition);
  collectMarks(marks, look, seen, series, scratch, color, layout.plot);
}

export function surfacePen(surface: Surface): Pen {
  return {
    line(line, style, alpha) {
      surface.lineJoin = "bevel";
      surface.lineCap = "butt";
      surface.globalAlpha = alpha;
      surface.strokeStyle = style.color;
      surface.lineWidth = style.widthPx;
      surface.setLineDash(dashOf(style.dash));
      pathOf(surface, line);
      surface.stroke();
      surface.setLineDash([]);
      surface.globalAlpha = 1;
    },
  };
}

function pathOf(surface: Surface, { xs, ys, length }: Polyline): void {
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
}

/** The first pixel of the raster is at leftPx, topPx; one CSS pixel has ratioX by ratioY pixels of the raster. */
export function rasterPen(
  raster: Raster,
  ratioX: number,
  ratioY: number,
  leftPx: number,
  topPx: number,
  colorOf: (color: string) => Rgba,
): Pen {
  const placement = { scaleX: ratioX, scaleY: ratioY, shiftX: -leftPx * ratioX, shiftY: -topPx * ratioY };
  const strokeOf = (style: SeriesStyle, alpha: number): Stroke => ({
    color: colorOf(style.color),
    alpha,
    widthX: style.widthPx * ratioX,
    widthY: style.widthPx * ratioY,
    dashes: dashOf(style.dash).map((length) => length * ratioX),
  });
  return {
    line: (line, style, alpha) => strokeLine(raster, line, strokeOf(style, alpha), placement),
    maybeColumns: (seen, series, style, alpha) =>
      strokeColumns(raster, seen, series, strokeOf(style, alpha), placement),
  };
}
