// Draws plates line by line, so that messages can be handled in between. Owns the rasters, which all charts share.

import { colorReader } from "./colors";
import { drawBands } from "./draw_bands";
import { drawPass, type Layers, rasterPen } from "./draw_lines";
import { inPlot, type Layout } from "./layout";
import { drawMarks, newMarks } from "./marks";
import { contextOf, type Side } from "./open_chart";
import { type AnyCanvas, canStandIn, marginOf, type Plate, ratioXOf, showsSameLines } from "./plate";
import { clearRaster, newRaster, type Raster, type Rgba, rowsOf } from "./raster";
import type { Scene } from "./types";

/** A plate being drawn: `steps` yields after every line. */
export type PlateWork = { readonly plate: Plate; readonly steps: Generator<void>; millis: number };

export type MakeCanvas = (width: number, height: number) => AnyCanvas;

export type Painter = {
  readonly makeCanvas: MakeCanvas;
  readonly colorOf: (color: string) => Rgba;
  /** Rasters not in use, at most MOST_RASTERS. */
  readonly rasters: Raster[];
};

const MOST_RASTERS = 4;

export function newPainter(makeCanvas: MakeCanvas): Painter {
  return { makeCanvas, colorOf: colorReader(makeCanvas), rasters: [] };
}

/** Continues the plate of a pass until `end`. Returns true if it is finished; it is then the plate of that side. */
export function advance(
  painter: Painter,
  side: Side,
  scene: Scene,
  layout: Layout,
  layers: Layers,
  end: number,
): boolean {
  if (side.work !== null && !worthFinishing(side.work.plate, scene)) abandon(side);
  const work = side.work ?? begin(painter, side, scene, layout, layers);
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
  return true;
}

/** A plate for an outdated range is still a better preview than the one before. */
function worthFinishing(plate: Plate, scene: Scene): boolean {
  return canStandIn(plate, scene) && showsSameLines(plate, scene);
}

function abandon(side: Side): void {
  side.spare = side.work?.plate.canvas ?? null;
  side.work = null;
}

function begin(painter: Painter, side: Side, scene: Scene, layout: Layout, layers: Layers): PlateWork {
  const { leftPx, topPx, rightPx, bottomPx } = layout.plot;
  const ratioX = ratioXOf(scene, side.pass);
  const width = Math.max(1, Math.round((rightPx - leftPx) * ratioX)) + 2 * marginOf(ratioX);
  const height = Math.max(1, Math.round((bottomPx - topPx) * scene.ratio)) + 2 * marginOf(scene.ratio);
  const canvas = side.spare ?? painter.makeCanvas(width, height);
  side.spare = null;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const plate = { pass: side.pass, scene, layout, ratioX, canvas };
  return { plate, steps: paintPlate(painter, plate, layers), millis: 0 };
}

function* paintPlate(painter: Painter, plate: Plate, layers: Layers): Generator<void> {
  const { canvas, scene, layout, ratioX, pass } = plate;
  const { ratio } = scene;
  const { leftPx, topPx } = layout.plot;
  const marginX = marginOf(ratioX);
  const marginY = marginOf(ratio);
  const raster = borrowRaster(painter, canvas.width - 2 * marginX, canvas.height - 2 * marginY);
  const marks = newMarks();
  const pen = rasterPen(raster, ratioX, ratio, leftPx, topPx, painter.colorOf);
  yield* drawPass(pen, scene, pass, layers, layout, marks);
  const context = contextOf(canvas);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.putImageData(new ImageData(rowsOf(raster), raster.width, raster.height), marginX, marginY);
  painter.rasters.push(raster);
  if (pass === "faint") return;
  context.setTransform(ratioX, 0, 0, ratio, marginX - leftPx * ratioX, marginY - topPx * ratio);
  context.globalCompositeOperation = "destination-over";
  inPlot(context, layout, () => drawBands(context, scene, layers, layout));
  context.globalCompositeOperation = "source-over";
  drawMarks(context, marks, scene.colors.background);
}

/** Most cards have the same size, and drafts half the width: rasters are reused. */
function borrowRaster({ rasters }: Painter, width: number, height: number): Raster {
  const at = rasters.findIndex((raster) => raster.width === width && raster.height === height);
  const [known] = at < 0 ? [] : rasters.splice(at, 1);
  if (known === undefined) {
    if (rasters.length >= MOST_RASTERS) rasters.shift(); // drop one of an old size
    return newRaster(width, height);
  }
  clearRaster(known);
  return known;
}
