// Merges the steps of several series into one ascending list, for a slider over all of them.

import type { Wholes } from "../state/steps";

// far more steps than a slider has pixels; above this limit only the steps of the longest series are used
const MANY = 400_000;

export function distinctSteps(series: readonly Wholes[]): Wholes {
  // series of one program usually have the same steps
  const different: Wholes[] = [];
  for (const one of series) if (!different.some((other) => sameSteps(one, other))) different.push(one);
  const [only] = different;
  if (only === undefined) return new Float64Array();
  const total = different.reduce((sum, { length }) => sum + length, 0);
  if (total > MANY) return rising([different.reduce((a, b) => (b.length > a.length ? b : a))]);
  return rising(different);
}

function sameSteps(one: Wholes, other: Wholes): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

function rising(series: readonly Wholes[]): Wholes {
  const [only] = series;
  if (series.length === 1 && only !== undefined && rises(only)) return only;
  if (series.some((one) => one instanceof BigInt64Array)) {
    const all = new Set<bigint>();
    for (const one of series) for (const step of one) all.add(BigInt(step));
    return BigInt64Array.from(all).sort();
  }
  const all = new Set<number>();
  for (const one of series) for (const step of one) all.add(Number(step));
  return Float64Array.from(all).sort();
}

function rises(steps: Wholes): boolean {
  for (let i = 1; i < steps.length; i++) if ((steps[i] ?? 0) <= (steps[i - 1] ?? 0)) return false;
  return true;
}
