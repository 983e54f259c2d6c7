// One chart as the drawing host keeps it: its canvas, data and newest scene, and for each pass the visible plate and
// the one being drawn. The functions change one chart only; chart/host.ts decides which chart is drawn next.

import { drawAxes, drawGrid } from "./draw_axes";
import { hasPass, type Layers, type Pass } from "./draw_lines";
import { drawOverlay } from "./draw_overlay";
import type { LayerData } from "./layers";
import { type Layout, layoutOf } from "./layout";
import type { SceneNews, StylesNews } from "./messages";
import { type AnyCanvas, type AnyContext, canStandIn, isCrisp, type Plate, showPlate, showsSameLines } from "./plate";
import type { PlateWork } from "./plate_painter";
import type { Layer, Scene, SeriesStyle } from "./types";

export type OpenChart = {
  readonly chart: number;
  readonly canvas: AnyCanvas;
  readonly context: AnyContext;
  readonly layers: Map<number, LayerData>;
  readonly layerOf: Layers;
  /** Styles of the scene, by their numbers. */
  styles: ReadonlyMap<number, readonly SeriesStyle[]>;
  /** The newest scene; null before the first, and after one that could not be drawn. */
  scene: Scene | null;
  /** Layout of the newest received scene. */
  layout: Layout | null;
  /** True until the scene has been shown, at least as a preview. */
  fresh: boolean;
  /** The scene that was shown last. */
  shown: Scene | null;
  readonly sides: Readonly<Record<Pass, Side>>;
};

/** One pass of a chart. */
export type Side = {
  readonly pass: Pass;
  /** The finished plate; null before the first one. */
  plate: Plate | null;
  /** An unused canvas, for the next plate. */
  spare: AnyCanvas | null;
  /** The plate that is being drawn. */
  work: PlateWork | null;
  /** How long drawing the last plate took. */
  millis: number;
};

/** The strong lines of all charts are drawn before the faint ones of any: the user waits for these. */
export const PASSES: readonly Pass[] = ["strong", "faint"];

export function newChart(chart: number, canvas: AnyCanvas): OpenChart {
  const layers = new Map<number, LayerData>();
  return {
    chart,
    canvas,
    // opaque: a card is not transparent, and text is drawn sharper
    context: contextOf(canvas, { alpha: false }),
    layers,
    layerOf: (id) => layers.get(id),
    styles: new Map(),
    scene: null,
    layout: null,
    fresh: false,
    shown: null,
    sides: { faint: newSide("faint"), strong: newSide("strong") },
  };
}

function newSide(pass: Pass): Side {
  return { pass, plate: null, spare: null, work: null, millis: 0 };
}

export function contextOf(canvas: AnyCanvas, settings?: CanvasRenderingContext2DSettings): AnyContext {
  const context = canvas.getContext("2d", settings) as AnyContext | null;
  if (context === null) throw new Error("the browser gives no drawing context");
  return context;
}

/** Sets the next scene; lists of styles that the message names by number are taken from the last scene. */
export function putScene(open: OpenChart, news: SceneNews): Scene {
  const styles = new Map<number, readonly SeriesStyle[]>();
  const stylesOf = ({ number, list }: StylesNews): readonly SeriesStyle[] => {
    const known = list ?? styles.get(number) ?? open.styles.get(number) ?? [];
    styles.set(number, known);
    return known;
  };
  const layers = news.layers.map(
    ({ styles: lines, bands, ...layer }): Layer => ({ ...layer, styles: stylesOf(lines), bands: stylesOf(bands) }),
  );
  open.styles = styles;
  open.scene = { ...news, layers };
  open.layout = layoutOf(open.scene);
  open.fresh = true;
  return open.scene;
}

export function isUpToDate(open: OpenChart): boolean {
  return PASSES.every((pass) => isDone(open, pass));
}

export function isDone({ scene, layout, sides }: OpenChart, pass: Pass): boolean {
  if (scene === null || layout === null || !hasPass(scene, pass)) return true;
  const { plate } = sides[pass];
  return plate !== null && isCrisp(plate, scene, layout);
}

/** Returns true if the strong plate has the lines of the scene, even if at another position. */
export function hasLines({ sides }: OpenChart, scene: Scene): boolean {
  const { plate } = sides.strong;
  return plate !== null && showsSameLines(plate, scene);
}

/** Returns true if the scene differs from the shown one only in its lines. */
export function differsInLinesOnly({ shown }: OpenChart, scene: Scene): boolean {
  return shown !== null && looksAlike(shown, scene);
}

/** Compares everything but the lines. */
function looksAlike(a: Scene, b: Scene): boolean {
  // scenes are copies, so their parts are equal but never identical; NaN and infinities do not matter here
  return JSON.stringify({ ...a, layers: [] }) === JSON.stringify({ ...b, layers: [] });
}

/** Draws the scene with the existing plates, up to date or not. */
export function showChart(open: OpenChart, scene: Scene, layout: Layout): void {
  const { context } = open;
  open.fresh = false;
  open.shown = scene;
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
  drawOverlay(context, scene, layout, open.layerOf);
}

function resize(canvas: AnyCanvas, scene: Scene): void {
  const width = Math.max(1, Math.round(scene.widthPx * scene.ratio));
  const height = Math.max(1, Math.round(scene.heightPx * scene.ratio));
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}
