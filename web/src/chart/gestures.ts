// The arithmetic of panning and zooming. It uses transformed ("bent") values, so that a logarithmic axis moves evenly,
// too.

import type { Box, Layout } from "./layout";
import { bendOf, drawableRange, fromPx, type Scale, unbendOf } from "./scales";
import type { Axis, Range } from "./types";

// A drag box smaller than this is a click; a box that is flat in one direction zooms only the other axis.
export const CLICK_PX = 4;
const FLAT_PX = 12;
// Doubles have about 15 digits; a narrower range would show nothing.
const NARROWEST = 1e-12;

/** Returns the axis' range moved by a share of its width. */
export function panned(axis: Axis, share: number): Range {
  return bentRange(axis, (lo, hi) => [lo + share * (hi - lo), hi + share * (hi - lo)]);
}

/** Returns the range made `factor` times as wide; the value at `share` (0 is lo, 1 is hi) keeps its position. */
export function zoomed(axis: Axis, share: number, factor: number): Range {
  return bentRange(axis, (lo, hi) => {
    const fixed = lo + share * (hi - lo);
    return [fixed - (fixed - lo) * factor, fixed + (hi - fixed) * factor];
  });
}

function bentRange(axis: Axis, change: (lo: number, hi: number) => readonly [number, number]): Range {
  const bend = bendOf(axis.scale, axis.constant);
  const unbend = unbendOf(axis.scale, axis.constant);
  const old = drawableRange(axis);
  const [lo, hi] = change(bend(old.lo), bend(old.hi));
  const range = { lo: unbend(lo), hi: unbend(hi) };
  return usable(range) ? range : old;
}

function usable({ lo, hi }: Range): boolean {
  return Number.isFinite(hi - lo) && hi - lo > NARROWEST * Math.max(Math.abs(lo), Math.abs(hi));
}

export type Point = { readonly xPx: number; readonly yPx: number };

export type Boxed = { readonly box: Box; readonly x: boolean; readonly y: boolean };

/** Returns the area to which a drag between two points would zoom: a box, or a strip along one axis. */
export function boxBetween(from: Point, to: Point, plot: Box): Boxed | null {
  const clampX = (px: number): number => Math.min(Math.max(px, plot.leftPx), plot.rightPx);
  const clampY = (px: number): number => Math.min(Math.max(px, plot.topPx), plot.bottomPx);
  const width = Math.abs(to.xPx - from.xPx);
  const height = Math.abs(to.yPx - from.yPx);
  if (width < CLICK_PX && height < CLICK_PX) return null;
  const x = width >= FLAT_PX || width >= height;
  const y = height >= FLAT_PX || height > width;
  const box = {
    leftPx: x ? clampX(Math.min(from.xPx, to.xPx)) : plot.leftPx,
    rightPx: x ? clampX(Math.max(from.xPx, to.xPx)) : plot.rightPx,
    topPx: y ? clampY(Math.min(from.yPx, to.yPx)) : plot.topPx,
    bottomPx: y ? clampY(Math.max(from.yPx, to.yPx)) : plot.bottomPx,
  };
  return { box, x, y };
}

/** Returns the ranges inside a box; undefined for an axis that it does not zoom. */
export function rangesOf({ box, x, y }: Boxed, layout: Layout): { readonly x?: Range; readonly y?: Range } {
  const across = between(fromPx(layout.x, box.leftPx), fromPx(layout.x, box.rightPx));
  const upright = between(fromPx(layout.y, box.bottomPx), fromPx(layout.y, box.topPx));
  return { ...(x && usable(across) ? { x: across } : {}), ...(y && usable(upright) ? { y: upright } : {}) };
}

/** The arguments may be in either order, because an axis may be reversed. */
function between(one: number, other: number): Range {
  return { lo: Math.min(one, other), hi: Math.max(one, other) };
}

/** Returns the position of a pixel between the ends of an axis: 0 is lo, 1 is hi. */
export function shareOf(scale: Scale, px: number): number {
  return (px - scale.fromPx) / (scale.toPx - scale.fromPx);
}

/** One notch of an ordinary wheel (100 to 120 px) zooms by a fifth; touchpads send many small deltas. */
export function wheelFactor(deltaY: number, deltaMode: number): number {
  const px = deltaMode === 0 ? deltaY : deltaY * (deltaMode === 1 ? 33 : 400);
  return Math.exp(Math.min(Math.max(px, -300), 300) * 0.0018);
}

/** null resets an axis, undefined leaves it as it is. */
export type Zoom = Range | null | undefined;

/** Returns the zoom of a key; null if the chart does not handle the key. */
export function keyed(key: string, x: Axis, y: Axis): { readonly x?: Zoom; readonly y?: Zoom } | null {
  switch (key) {
    case "ArrowLeft":
      return { x: panned(x, -0.1) };
    case "ArrowRight":
      return { x: panned(x, 0.1) };
    case "ArrowDown":
      return { y: panned(y, -0.1) };
    case "ArrowUp":
      return { y: panned(y, 0.1) };
    case "+":
    case "=":
      return { x: zoomed(x, 0.5, 0.8), y: zoomed(y, 0.5, 0.8) };
    case "-":
    case "_":
      return { x: zoomed(x, 0.5, 1.25), y: zoomed(y, 0.5, 1.25) };
    case "0":
    case "Home":
      return { x: null, y: null };
    default:
      return null;
  }
}
