// Smoothed values of recorded points. The smoothing of the snapshot's view was computed from all points. For another
// weight the moving average is computed here: exactly if all points are in the file, otherwise each point stands for
// as many points as were left out around it.

import { type Line, pointsOf } from "./lines";

const EMA = /^ema:([\d.e-]+)$/;

/** Returns null if the values for this smoothing are neither recorded nor can be computed. */
export function smoothedOf(line: Line, smoothing: string): Float64Array | null {
  const { of, from, to } = line;
  if (of.smoothed !== null && of.smoothing === smoothing) return of.smoothed.subarray(from, to);
  const weight = Number(EMA.exec(smoothing)?.[1] ?? Number.NaN);
  if (!(weight >= 0 && weight < 1)) return null;
  const kept = to - from;
  const stride = kept < 2 ? 1 : (pointsOf(line) - 1) / (kept - 1);
  return movingAverage(of.value.subarray(from, to), weight ** stride);
}

/** The debiased average of docs/explanation/smoothing.md; NaN and infinities stay. */
export function movingAverage(values: Float64Array, weight: number): Float64Array {
  let last = 0;
  let count = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    last = weight * last + (1 - weight) * value;
    count++;
    return last / (1 - weight ** count);
  });
}
