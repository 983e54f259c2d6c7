// Converts values on an axis to pixels and back. Every scale is a transformation ("bend": identity, log10, symmetric
// log) followed by a linear function, so panning and zooming are linear on bent values.

import type { Axis, Range, ScaleKind } from "./types";

export type Bend = (value: number) => number;

export function bendOf(scale: ScaleKind, constant = 1): Bend {
  if (scale === "log") return Math.log10;
  if (scale === "symlog") return (value) => Math.sign(value) * Math.log1p(Math.abs(value / constant));
  return (value) => value;
}

export function unbendOf(scale: ScaleKind, constant = 1): Bend {
  if (scale === "log") return (bent) => 10 ** bent;
  if (scale === "symlog") return (bent) => Math.sign(bent) * Math.expm1(Math.abs(bent)) * constant;
  return (bent) => bent;
}

/** Pixels along one axis: fromPx is the position of `lo`, toPx that of `hi` (y axes run from bottom to top). */
export type Scale = {
  readonly kind: ScaleKind;
  readonly bend: Bend;
  readonly unbend: Bend;
  /** px = offset + slope · bend(value) */
  readonly slope: number;
  readonly offset: number;
  readonly fromPx: number;
  readonly toPx: number;
};

export function scaleOf(axis: Axis, fromPx: number, toPx: number): Scale {
  const { lo, hi } = drawableRange(axis);
  const bend = bendOf(axis.scale, axis.constant);
  const slope = (toPx - fromPx) / (bend(hi) - bend(lo));
  const unbend = unbendOf(axis.scale, axis.constant);
  return { kind: axis.scale, bend, unbend, slope, offset: fromPx - slope * bend(lo), fromPx, toPx };
}

export function toPx(scale: Scale, value: number): number {
  return scale.offset + scale.slope * scale.bend(value);
}

export function fromPx(scale: Scale, px: number): number {
  return scale.unbend((px - scale.offset) / scale.slope);
}

const LONE_MOMENT_SECS = 60;
// a smaller span would make the pixels per value infinite
const SMALLEST_SPAN = 1e-300;

/** Returns the axis' range, corrected if it is empty, reversed, or outside of what its scale can show. */
export function drawableRange(axis: Axis): Range {
  let { lo, hi } = axis;
  if (!Number.isFinite(lo) || !Number.isFinite(hi)) return axis.scale === "log" ? { lo: 1, hi: 10 } : { lo: 0, hi: 1 };
  if (lo > hi) [lo, hi] = [hi, lo];
  if (axis.scale === "log") {
    if (hi <= 0) return { lo: 1, hi: 10 };
    if (lo <= 0) lo = hi / 1e6;
    return hi > lo * (1 + 1e-9) ? { lo, hi } : { lo: lo / 2, hi: hi * 2 };
  }
  // a single value is centered in a range of its own size
  const least = Math.max(Math.max(Math.abs(lo), Math.abs(hi)) * 1e-13, SMALLEST_SPAN);
  if (hi - lo > least) return { lo, hi };
  const own = lo === 0 && hi === 0 ? 1 : Math.abs(lo) / 2;
  const half = Math.max(axis.format === "wall" ? LONE_MOMENT_SECS : own, least);
  return { lo: lo - half, hi: hi + half };
}
