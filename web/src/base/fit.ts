// The range that the y axis of a chart shows for a series, by the rule of the server (native/kernels/fit.h): all its
// values, except for a few far away from the others.

const FEW = 50;
const OUTER = 0.01;
const MOST_HIDDEN = 0.02;

/** Returns the range of the finite values; null if there is none. */
export function fitOf(values: ArrayLike<number>): readonly [low: number, high: number] | null {
  const finite = Float64Array.from(values).filter(Number.isFinite);
  const first = finite[0];
  const last = finite.at(-1);
  if (first === undefined || last === undefined) return null;
  const sorted = finite.slice().sort();
  const at = (i: number): number => sorted[i] as number;
  const end = sorted.length - 1;
  const [least, most] = [at(0), at(end)];
  const skip = Math.ceil(OUTER * sorted.length);
  if (sorted.length < FEW || at(skip) === at(end - skip)) return [least, most];
  const [from, to] = [at(skip), at(end - skip)];
  const low = Math.min(first, last, from - least > to - from ? from : least);
  const high = Math.max(first, last, most - to > to - from ? to : most);
  const hidden = sorted.filter((value) => value < low || value > high).length;
  return hidden > MOST_HIDDEN * sorted.length ? [least, most] : [low, high];
}
