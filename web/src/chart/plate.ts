// The lines of a chart on their own canvases, one for each pass. Crosshair, selection and labels change without
// redrawing lines, and a smoothing slider redraws only the smoothed lines at once. While the user pans, the last plates
// are moved and stretched until there is time for new ones.

import { layersIn, type Pass } from "./draw_lines";
import type { Box, Layout } from "./layout";
import type { Scale } from "./scales";
import { sameLook } from "./scene";
import type { Axis, Layer, Scene } from "./types";

export type AnyCanvas = OffscreenCanvas | HTMLCanvasElement;
export type AnyContext = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

export type Plate = {
  readonly pass: Pass;
  readonly scene: Scene;
  readonly layout: Layout;
  /** Pixels of the plate per CSS pixel on x; on y it is the scene's ratio. */
  readonly ratioX: number;
  /** Covers the plot and MARGIN_PX around it, so that dots at the edge of the plot are not cut off. */
  readonly canvas: AnyCanvas;
};

export const MARGIN_PX = 4;

/** Returns the margin as a whole number of the plate's pixels. */
export function marginOf(ratio: number): number {
  return Math.round(MARGIN_PX * ratio);
}

/** While a slider changes many lines, speed is more important than resolution: x has half the pixels. */
export function ratioXOf(scene: Scene, pass: Pass): number {
  return layersIn(scene, pass).some(({ coarse }) => coarse === true) ? scene.ratio / 2 : scene.ratio;
}

/** Returns true if the plate shows the scene exactly. */
export function isCrisp(plate: Plate, scene: Scene, layout: Layout): boolean {
  const old = plate.scene;
  return (
    sameAxis(old.x, scene.x) &&
    sameAxis(old.y, scene.y) &&
    old.ratio === scene.ratio &&
    samePlot(plate.layout, layout) &&
    sameLook(old.lines, scene.lines) &&
    // marks have an outline in the color of the background
    (plate.pass === "faint" || old.colors.background === scene.colors.background) &&
    showsSameLines(plate, scene)
  );
}

/** Returns true if the plate has the lines of the scene, even if at another position. */
export function showsSameLines(plate: Plate, scene: Scene): boolean {
  return sameLayers(layersIn(plate.scene, plate.pass), layersIn(scene, plate.pass));
}

/** Returns true if the plate, moved and stretched, can be shown as a preview of the scene. */
export function canStandIn(plate: Plate, scene: Scene): boolean {
  return sameBend(plate.scene.x, scene.x) && sameBend(plate.scene.y, scene.y);
}

function sameAxis(a: Axis, b: Axis): boolean {
  // true also if both ends are NaN, as before the first data
  return Object.is(a.lo, b.lo) && Object.is(a.hi, b.hi) && sameBend(a, b);
}

function sameBend(a: Axis, b: Axis): boolean {
  return a.scale === b.scale && a.constant === b.constant && a.format === b.format;
}

function samePlot(a: Layout, b: Layout): boolean {
  return (
    a.plot.leftPx === b.plot.leftPx &&
    a.plot.topPx === b.plot.topPx &&
    a.plot.rightPx === b.plot.rightPx &&
    a.plot.bottomPx === b.plot.bottomPx
  );
}

function sameLayers(a: readonly Layer[], b: readonly Layer[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((one, i) => {
    const other = b[i];
    return other !== undefined && one.id === other.id && one.styles === other.styles && one.bands === other.bands;
  });
}

/** px on the new scale = shift + stretch · px on the old one. */
export type Move = { readonly stretch: number; readonly shift: number };

export function moveOf(old: Scale, now: Scale): Move {
  const stretch = now.slope / old.slope;
  return { stretch, shift: now.offset - stretch * old.offset };
}

/** Draws the plate at the current position of its values. The context draws in CSS pixels. */
export function showPlate(context: AnyContext, plate: Plate, layout: Layout): void {
  const { ratio } = plate.scene;
  const { ratioX } = plate;
  const marginX = marginOf(ratioX) / ratioX;
  const marginY = marginOf(ratio) / ratio;
  const old = grown(plate.layout.plot, marginX, marginY);
  const now = grown(layout.plot, marginX, marginY);
  const x = moveOf(plate.layout.x, layout.x);
  const y = moveOf(plate.layout.y, layout.y);
  // only the visible part is stretched: a plate enlarged a thousandfold costs no more than any other
  const left = Math.max(old.leftPx, (now.leftPx - x.shift) / x.stretch);
  const right = Math.min(old.rightPx, (now.rightPx - x.shift) / x.stretch);
  const top = Math.max(old.topPx, (now.topPx - y.shift) / y.stretch);
  const bottom = Math.min(old.bottomPx, (now.bottomPx - y.shift) / y.stretch);
  if (!(right > left && bottom > top)) return;
  context.drawImage(
    plate.canvas,
    (left - old.leftPx) * ratioX,
    (top - old.topPx) * ratio,
    (right - left) * ratioX,
    (bottom - top) * ratio,
    x.shift + x.stretch * left,
    y.shift + y.stretch * top,
    x.stretch * (right - left),
    y.stretch * (bottom - top),
  );
}

function grown({ leftPx, topPx, rightPx, bottomPx }: Box, byX: number, byY: number): Box {
  return { leftPx: leftPx - byX, topPx: topPx - byY, rightPx: rightPx + byX, bottomPx: bottomPx + byY };
}
