// Computes what a card with histograms or percentiles requests: the steps inside a time range, and how many of them
// are worth drawing.

import type { Spread } from "../state/spreads";
import type { SeriesSteps, Wholes } from "../state/steps";

export type TimeAxisName = "step" | "relative" | "wall";
export type Stretch = { readonly lo: number; readonly hi: number };

/** Returns the position of a step on the time axis. */
export function timeAt(axis: TimeAxisName, { steps, walls }: Pick<SeriesSteps, "steps" | "walls">, at: number): number {
  if (axis === "step") return Number(steps[at] ?? Number.NaN);
  const wall = walls[at] ?? Number.NaN;
  return axis === "wall" ? wall : wall - (walls[0] ?? 0);
}

/** First and last step inside as strings, and the number of points; null: none is inside. */
export type StepRange = { readonly lo: string; readonly hi: string; readonly points: number };

export function stepsWithin(axis: TimeAxisName, series: SeriesSteps, { lo, hi }: Stretch): StepRange | null {
  const { steps } = series;
  const slack = (hi - lo) * 1e-9;
  let [least, most] = [-1, -1];
  for (let i = 0; i < steps.length; i++) {
    const time = timeAt(axis, series, i);
    if (!(time >= lo - slack && time <= hi + slack)) continue;
    if (least < 0 || isBelow(steps, i, least)) least = i;
    if (most < 0 || isBelow(steps, most, i)) most = i;
  }
  if (least < 0) return null;
  let points = 0;
  for (let i = 0; i < steps.length; i++) if (!isBelow(steps, i, least) && !isBelow(steps, most, i)) points++;
  return { lo: String(steps[least]), hi: String(steps[most]), points };
}

function isBelow(steps: Wholes, one: number, other: number): boolean {
  return (steps[one] ?? 0) < (steps[other] ?? 0);
}

// few distinct values, so that a slightly larger card needs no new request
const LIMITS = [50, 100, 200, 400, 800];

/** Returns how many steps to request for this many pixels. */
export function limitFor(px: number, pxPerStep: number): number {
  const room = px / pxPerStep;
  return LIMITS.find((limit) => limit >= room) ?? 800;
}

/** Returns the index of a step in a response; -1 if thinning removed it. */
export function placeOf(exact: Wholes, step: number | bigint | undefined): number {
  if (step === undefined) return -1;
  for (let i = exact.length - 1; i >= 0; i--) {
    const own = exact[i];
    // a number and a bigint of equal value are not ===, so compare strings
    if (own !== undefined && String(own) === String(step)) return i;
  }
  return -1;
}

/** Returns the response `all` with the single step of `one` inserted in order. */
export function withStep<S extends Spread>(all: S, one: S): S {
  if (one.steps.length !== 1 || placeOf(all.exact, one.exact[0]) >= 0) return all;
  const at = all.steps.findIndex((step) => step > (one.steps[0] ?? 0));
  const place = at < 0 ? all.steps.length : at;
  const common = {
    exact: wholes([...all.exact.subarray(0, place), ...one.exact, ...all.exact.subarray(place)]),
    steps: inserted(all.steps, place, one.steps),
    walls: inserted(all.walls, place, one.walls),
  };
  if (all.kind === "histograms" && one.kind === "histograms") {
    const from = all.first[place] ?? all.counts.length;
    const added = one.counts.length;
    const first = new Uint32Array(all.first.length + 1);
    first.set(all.first.subarray(0, place + 1));
    for (let i = place; i < all.first.length; i++) first[i + 1] = (all.first[i] ?? 0) + added;
    return {
      ...all,
      ...common,
      first,
      lefts: inserted(all.lefts, from, one.lefts),
      rights: inserted(all.rights, from, one.rights),
      counts: inserted(all.counts, from, one.counts),
    };
  }
  if (all.kind === "percentiles" && one.kind === "percentiles") {
    return { ...all, ...common, values: inserted(all.values, place * all.lines, one.values) };
  }
  return all;
}

function inserted(all: Float64Array, at: number, more: Float64Array): Float64Array {
  const made = new Float64Array(all.length + more.length);
  made.set(all.subarray(0, at));
  made.set(more, at);
  made.set(all.subarray(at), at + more.length);
  return made;
}

function wholes(all: readonly (number | bigint)[]): Wholes {
  const large = all.some((one) => typeof one === "bigint");
  return large ? BigInt64Array.from(all, BigInt) : Float64Array.from(all, Number);
}
