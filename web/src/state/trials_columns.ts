// Trials as columns: one number per trial and column, so that sorting, filtering and drawing ten thousand trials are
// loops over typed arrays. A text is its index among the distinct texts in natural order; a boolean is 0 or 1; a
// missing value is NaN.

import { compareNatural } from "../base/natural";

export type ColumnKind = "number" | "bool" | "text";

export type Domain =
  | { readonly kind: "interval"; readonly lo: number; readonly hi: number }
  | { readonly kind: "values"; readonly values: readonly (string | number | boolean)[] };

export type TrialColumn = {
  /** "hparam:lr", "metric:accuracy", "metric@GROUP:TAG", or a fact: "status", "start", "duration", "repeats". */
  readonly id: string;
  readonly role: "hparam" | "metric" | "fact";
  readonly kind: ColumnKind;
  /** The logged name. */
  readonly name: string;
  /** For metrics: the directory below the session's in which it was logged. */
  readonly group: string;
  /** The name to show. */
  readonly title: string;
  readonly description: string;
  /** True if trials have different values. */
  readonly differs: boolean;
  readonly goal: "min" | "max" | null;
  readonly domain: Domain | null;
  /** One number per trial. */
  readonly numbers: Float64Array;
  /** For texts: the distinct ones, in natural order. */
  readonly texts: readonly string[];
  /** For metrics: the step of each value, by trial. */
  readonly steps: Float64Array | null;
};

export type TrialStatus = "unknown" | "success" | "failure" | "running";
export const STATUSES: readonly TrialStatus[] = ["unknown", "success", "failure", "running"];

/** A colon ends the group, so colons in the group are percent-encoded. */
export function metricId(tag: string, group: string): string {
  return group === "" ? `metric:${tag}` : `metric@${group.replace(/[%:]/g, encodeURIComponent)}:${tag}`;
}

/** Splits "metric@GROUP:TAG" or "metric:TAG". */
export function splitMetric(id: string): { readonly tag: string; readonly group: string } {
  const [, group = "", tag = ""] = /^metric(?:@([^:]*))?:(.*)$/s.exec(id) ?? [];
  return { tag, group: group.replace(/%(3A|25)/gi, (_, code: string) => (code === "25" ? "%" : ":")) };
}

export function hparamId(name: string): string {
  return `hparam:${name}`;
}

/** Converts codes of texts to indices among the distinct texts in natural order; -1 becomes NaN. */
export function orderedTexts(
  codes: ArrayLike<number>,
  values: readonly string[],
): { readonly numbers: Float64Array; readonly texts: readonly string[] } {
  const order = values.map((_, code) => code).sort((a, b) => compareNatural(values[a] ?? "", values[b] ?? ""));
  const place = new Float64Array(values.length);
  order.forEach((code, at) => {
    place[code] = at;
  });
  const numbers = new Float64Array(codes.length);
  for (let trial = 0; trial < numbers.length; trial++) numbers[trial] = place[codes[trial] ?? -1] ?? Number.NaN;
  return { numbers, texts: order.map((code) => values[code] ?? "") };
}

export type Cell = string | number | boolean | null;

/** Returns the value; null if it is missing. */
export function cellOf(column: TrialColumn, trial: number): Cell {
  const number = column.numbers[trial] ?? Number.NaN;
  if (Number.isNaN(number)) return null;
  if (column.kind === "text") return column.texts[number] ?? null;
  return column.kind === "bool" ? number === 1 : number;
}

/** Returns the number of a value in this column; NaN if it does not occur. */
export function numberOf(column: TrialColumn, value: string | number | boolean): number {
  if (column.kind === "text") {
    const at = column.texts.indexOf(String(value));
    return at < 0 ? Number.NaN : at;
  }
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === "true" || value === "false") return value === "true" ? 1 : 0;
  return Number(value);
}

/** Returns a value as text, for lists of values and for URLs. */
export function textOf(column: TrialColumn, number: number): string {
  if (column.kind === "text") return column.texts[number] ?? "";
  return column.kind === "bool" ? String(number === 1) : String(number);
}

/** Returns the distinct numbers of a column in ascending order; null if there are more than `most`. */
export function distinct(numbers: Float64Array, most: number): readonly number[] | null {
  const found = new Set<number>();
  for (const number of numbers) {
    if (Number.isNaN(number)) continue;
    found.add(number);
    if (found.size > most) return null;
  }
  return [...found].sort((a, b) => a - b);
}

/** Returns why this column is not useful for colors: no trial has a value, or all have the same. Null: it is useful. */
export function dullness({ numbers }: TrialColumn): "empty" | "constant" | null {
  const few = distinct(numbers, 1);
  if (few === null) return null;
  return few.length === 0 ? "empty" : "constant";
}

/** Returns the lowest and the highest finite number. */
export function extentOf(numbers: Float64Array): readonly [number, number] | null {
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of numbers) {
    if (!Number.isFinite(number)) continue;
    if (number < lo) lo = number;
    if (number > hi) hi = number;
  }
  return lo > hi ? null : [lo, hi];
}

/** Returns true if values are shown as a list: booleans, texts, and numbers that were declared as values or are few. */
export function isDiscrete(column: TrialColumn, few = 12): boolean {
  if (column.kind !== "number") return true;
  if (column.domain?.kind === "values") return true;
  return column.role === "hparam" && column.domain === null && distinct(column.numbers, few) !== null;
}

/** A run that is not a trial, and why: a code, and the tag that the code refers to. */
export type Absent = { readonly run: string; readonly reason: string; readonly detail: string };

export type Trials = {
  readonly version: number;
  readonly count: number;
  /** Unique names; a trial with a single run has the run's name. */
  readonly names: readonly string[];
  /** Runs (sessions) by trial. */
  readonly runs: readonly (readonly string[])[];
  /** True if some trial has several runs. */
  readonly repeated: boolean;
  /** First hparams, then metrics, then facts. */
  readonly columns: readonly TrialColumn[];
  readonly byId: ReadonlyMap<string, TrialColumn>;
  /** Ids of metrics that are available but not requested. */
  readonly otherMetrics: readonly string[];
  readonly absent: readonly Absent[];
  readonly absentTotal: number;
  readonly experiment: string;
  readonly description: string;
  /** Returns why a trial has no value in a column, as the server's code; "" if unknown. */
  readonly reasonOf: (column: TrialColumn, trial: number) => string;
  /** Returns the deviation of a metric between repeats; NaN if there is none. */
  readonly deviationOf: (column: TrialColumn, trial: number) => number;
};
