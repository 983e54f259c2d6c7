// Converts curves to chart points: precision over recall, ROC, or F1 over the threshold. Pure functions.

import { encodeFrame } from "../../base/frame";
import type { PR_CURVE_MODES } from "../../state/members/pr_curves";
import type { Curve } from "../../state/pr_curves";

export type Mode = (typeof PR_CURVE_MODES)[number];

export type CurvePoint = { readonly x: number; readonly y: number };

/** Axis range, as in TensorBoard: with space around the ends of a curve. */
export const DOMAIN = [-0.05, 1.05] as const;

/** The point at one threshold; NaN if the curve has none. */
export function pointOf(curve: Curve, mode: Mode, at: number): CurvePoint {
  if (mode === "roc") return { x: at_(curve.falsePositiveRate, at), y: at_(curve.truePositiveRate, at) };
  if (mode === "f1") return { x: at_(curve.threshold, at), y: at_(curve.f1, at) };
  if (at >= curve.defined) return { x: Number.NaN, y: Number.NaN };
  return { x: at_(curve.recall, at), y: at_(curve.precision, at) };
}

function at_(numbers: Float64Array, at: number): number {
  return numbers[at] ?? Number.NaN;
}

/** The whole curve, from the lowest threshold to the highest. */
export function shapeOf(curve: Curve, mode: Mode): readonly CurvePoint[] {
  const points = Array.from(curve.threshold, (_, at) => pointOf(curve, mode, at)).filter(isPlace);
  const last = points.at(-1);
  // above the highest threshold nothing is predicted positive
  if (mode === "roc" && last !== undefined && (last.x !== 0 || last.y !== 0)) points.push({ x: 0, y: 0 });
  return points;
}

function isPlace({ x, y }: CurvePoint): boolean {
  return Number.isFinite(x) && Number.isFinite(y);
}

/** Encodes lines as a frame for the chart. */
export function frameOf(lines: readonly (readonly CurvePoint[])[]): ArrayBuffer {
  const all = lines.flat();
  const places = lines.map((_, at) => at);
  const header = {
    x: "curve",
    lo: 0,
    hi: 1,
    run: places,
    columns: [],
    exact: places,
    kept: lines.map((points) => points.length),
    groups: [],
  };
  return encodeFrame(header, {
    x: Float64Array.from(all, ({ x }) => x),
    value: Float64Array.from(all, ({ y }) => y),
  });
}

/** Index of the curve's threshold nearest to this one; -1 if the curve has none. */
export function placeOf(curve: Curve, threshold: number): number {
  return Math.min(curve.threshold.length - 1, Math.round(threshold * (curve.threshold.length - 1)));
}

export type Near = { readonly at: number; readonly distancePx: number };

/** The point nearest to a chart position; `scale`: pixels per unit of each axis. */
export function nearestOf(curve: Curve, mode: Mode, place: CurvePoint, scale: CurvePoint): Near | null {
  let best: Near | null = null;
  for (let at = 0; at < curve.threshold.length; at++) {
    const { x, y } = pointOf(curve, mode, at);
    const distancePx = Math.hypot((x - place.x) * scale.x, (y - place.y) * scale.y);
    if (Number.isFinite(distancePx) && (best === null || distancePx < best.distancePx)) best = { at, distancePx };
  }
  return best;
}

/** Summary of the curve: ROC area, best F1 or average precision. */
export function areaOf(curve: Curve, mode: Mode): number | null {
  if (mode === "roc") return curve.rocArea;
  return mode === "f1" ? curve.bestF1 : curve.averagePrecision;
}
