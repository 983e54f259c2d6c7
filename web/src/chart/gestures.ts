// The arithmetic of panning and zooming. It works on bent values, so that a logarithmic axis moves evenly, too.

import type { Box, Layout } from "./layout";
import { bendOf, drawableRange, fromPx, type Scale, unbendOf } from "./scales";
import type { Axis, Range } from "./types";

// A box narrower than this is a click; one flat in one direction zooms the other axis alone.
export const CLICK_PX = 4;
const FLAT_PX = 12;
// Doubles tell about 15 digits; nothing is left to see beyond.
const NARROWEST = 1e-12;

/** The axis' range moved by a share of its own width. */
export function panned(axis: Axis, share: number): Range {
  return bentRange(axis, (lo, hi) => [lo + share * (hi - lo), hi + share * (hi - lo)]);
}

/** The range made `factor` times as wide, with the place at `share` (0 is lo, 1 is hi) kept where it is. */
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

/** What a drag from one point to another would zoom to: a box, or a strip along one axis. */
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

/** The ranges inside a box; undefined for an axis it does not zoom. */
export function rangesOf({ box, x, y }: Boxed, layout: Layout): { readonly x?: Range; readonly y?: Range } {
  const across = between(fromPx(layout.x, box.leftPx), fromPx(layout.x, box.rightPx));
  const upright = between(fromPx(layout.y, box.bottomPx), fromPx(layout.y, box.topPx));
  return { ...(x && usable(across) ? { x: across } : {}), ...(y && usable(upright) ? { y: upright } : {}) };
}

/** An axis may run either way. */
function between(one: number, other: number): Range {
  return { lo: Math.min(one, other), hi: Math.max(one, other) };
}

/** Where a pixel lies between the ends of an axis: 0 is lo, 1 is hi. */
export function shareOf(scale: Scale, px: number): number {
  return (px - scale.fromPx) / (scale.toPx - scale.fromPx);
}

/** A notch of an ordinary wheel (100 to 120 px) zooms by a fifth; touchpads send many small ones. */
export function wheelFactor(deltaY: number, deltaMode: number): number {
  const px = deltaMode === 0 ? deltaY : deltaY * (deltaMode === 1 ? 33 : 400);
  return Math.exp(Math.min(Math.max(px, -300), 300) * 0.0018);
}

/** null resets an axis, undefined leaves it as it is. */
export type Zoom = Range | null | undefined;

/** What a key asks for; null when it is none of the chart's. */
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
