// Positions and labels of ticks.

import { ticks as roundTicks, tickStep } from "d3-array";
import { timeTicks } from "d3-time";
import { formatWhole, type Language } from "../base/locale";
import { formatCount, formatDuration, formatNumber } from "../base/numbers";
import { drawableRange } from "./scales";
import { timeLabels } from "./time_labels";
import type { Axis } from "./types";

export type Tick = {
  readonly value: number;
  readonly label: string;
  /** A second line below: the day of an hour, the year of a month. Empty if it is the same as for the tick before. */
  readonly context: string;
};

export function ticksOf(axis: Axis, count: number, locale: Language): readonly Tick[] {
  const { lo, hi } = drawableRange(axis);
  if (axis.format === "wall" && axis.scale === "linear") return wallTicks(lo, hi, count, locale);
  const values = positions(axis, lo, hi, Math.max(count, 1));
  const labels = labelsOf(values, axis, locale);
  return values.map((value, i) => ({ value, label: labels[i] ?? "", context: "" }));
}

function positions(axis: Axis, lo: number, hi: number, count: number): readonly number[] {
  if (axis.scale === "log") return logTicks(lo, hi, count);
  if (axis.scale === "symlog") return symlogTicks(lo, hi, count, axis.constant ?? 1);
  if (axis.format === "relative") return durationTicks(lo, hi, count);
  if (axis.format === "step" && tickStep(lo, hi, count) < 1) return wholeNumbers(lo, hi);
  return roundTicks(lo, hi, count);
}

function wholeNumbers(lo: number, hi: number): readonly number[] {
  const values: number[] = [];
  for (let at = Math.ceil(lo); at <= hi; at++) values.push(at);
  return values;
}

// round durations in seconds, up to half a day; days use round numbers
const DURATIONS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200];

function durationTicks(lo: number, hi: number, count: number): readonly number[] {
  const least = (hi - lo) / count;
  if (least <= 0.5) return roundTicks(lo, hi, count);
  const step = DURATIONS.find((one) => one >= least * 0.8);
  if (step === undefined) return roundTicks(lo / 86400, hi / 86400, count).map((days) => days * 86400);
  return multiples(lo, hi, step);
}

function multiples(lo: number, hi: number, step: number): readonly number[] {
  const values: number[] = [];
  for (let i = Math.ceil(lo / step); i * step <= hi; i++) values.push(i * step);
  return values;
}

function logTicks(lo: number, hi: number, count: number): readonly number[] {
  const from = Math.ceil(Math.log10(lo) - 1e-9);
  const to = Math.floor(Math.log10(hi) + 1e-9);
  const decades = to - from + 1;
  if (decades >= count) return powers(from, to, Math.ceil(decades / count), [1]);
  const within = (values: readonly number[]): readonly number[] => values.filter((value) => value >= lo && value <= hi);
  const factors = decades * 3 <= count + 1 ? [1, 2, 5] : decades * 2 <= count + 1 ? [1, 3] : [1];
  const values = within(powers(from - 1, to, 1, factors));
  return values.length >= 3 || decades >= 3 ? values : roundTicks(lo, hi, count);
}

function powers(from: number, to: number, stride: number, factors: readonly number[]): readonly number[] {
  const values: number[] = [];
  for (let exponent = from; exponent <= to; exponent += stride) {
    // 10 ** -5 is not exactly the number 1e-5
    for (const factor of factors) values.push(Number(`${factor}e${exponent}`));
  }
  return values;
}

function symlogTicks(lo: number, hi: number, count: number, constant: number): readonly number[] {
  const largest = Math.max(Math.abs(lo), Math.abs(hi));
  if (largest <= 3 * constant) return roundTicks(lo, hi, count);
  const from = Math.ceil(Math.log10(constant));
  const to = Math.floor(Math.log10(largest));
  const sides = lo < 0 && hi > 0 ? 2 : 1;
  const stride = Math.max(1, Math.ceil(((to - from + 1) * sides) / Math.max(count - 1, 1)));
  const sizes = powers(from, to, stride, [1]);
  const all = [...sizes.map((size) => -size).reverse(), 0, ...sizes].filter((value) => value >= lo && value <= hi);
  return all.length >= 2 ? all : roundTicks(lo, hi, count);
}

/** Labels of one axis have the same number of decimals. */
export function labelsOf(values: readonly number[], axis: Axis, locale: Language): readonly string[] {
  const gaps = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? 0)));
  const step = Math.min(...gaps);
  if (axis.format === "relative") return values.map((value) => formatDuration(value, Number.isFinite(step) ? step : 0));
  const even = axis.scale === "linear" && Number.isFinite(step) && step > 0;
  if (axis.format === "step") return values.map((value) => stepLabel(value, even ? step : 0, locale));
  if (!even) return values.map((value) => formatNumber(value));
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1e6 || largest < 1e-3) return values.map((value) => formatNumber(value, digitsFor(largest, step)));
  const decimals = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  return values.map((value) =>
    value
      .toFixed(decimals)
      .replace(/^-(?=.*[1-9])/, "−")
      .replace(/^-/, ""),
  );
}

/** Returns the number of digits that distinguish adjacent labels. */
function digitsFor(largest: number, step: number): number {
  return Math.min(16, Math.max(1, Math.floor(Math.log10(largest) + 1e-9) - Math.floor(Math.log10(step) + 1e-9) + 1));
}

function stepLabel(value: number, step: number, locale: Language): string {
  if (value === 0) return "0";
  const digits = step > 0 ? digitsFor(Math.abs(value), step) : 4;
  if (digits <= 4) return formatCount(value, digits);
  return Math.abs(value) < 1e5 ? formatNumber(value, 16) : formatWhole(value, locale).replace("-", "−");
}

function wallTicks(lo: number, hi: number, count: number, locale: Language): readonly Tick[] {
  const dates = timeTicks(new Date(lo * 1000), new Date(hi * 1000), Math.max(count, 1));
  const labels = timeLabels(dates, locale);
  return dates.map((date, i) => ({
    value: date.getTime() / 1000,
    label: labels[i]?.label ?? "",
    context: labels[i]?.context ?? "",
  }));
}
