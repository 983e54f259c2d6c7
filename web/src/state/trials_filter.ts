// Filters and brushes of trials, as masks with one byte per trial.

import { compilePattern } from "../base/pattern";
import { numberOf, type TrialColumn, textOf } from "./trials_columns";

/**
 * A value passes if it is one of `values`, is between `lo` and `hi`, or matches `pattern`; missing values pass unless
 * `absent` is false.
 */
export type TrialFilter = {
  readonly values?: readonly (string | number | boolean)[];
  readonly lo?: number;
  readonly hi?: number;
  readonly pattern?: string;
  readonly absent?: boolean;
};

/** Ranges of numbers, or values if they have no order. */
export type TrialBrush = {
  readonly ranges?: readonly (readonly [number, number])[];
  readonly values?: readonly string[];
};

export type Mask = Uint8Array;

/** Sets the mask to 0 for trials that do not pass the filter. */
export function applyFilter(mask: Mask, column: TrialColumn, filter: TrialFilter): void {
  const { numbers } = column;
  const absent = filter.absent !== false;
  const passes = testOf(column, filter);
  for (let trial = 0; trial < mask.length; trial++) {
    const number = numbers[trial] ?? Number.NaN;
    if (Number.isNaN(number) ? !absent : !passes(number)) mask[trial] = 0;
  }
}

function testOf(column: TrialColumn, filter: TrialFilter): (number: number) => boolean {
  const { values, lo = Number.NEGATIVE_INFINITY, hi = Number.POSITIVE_INFINITY, pattern = "" } = filter;
  const chosen = values === undefined ? null : new Set(values.map((value) => numberOf(column, value)));
  const compiled = pattern === "" ? null : compilePattern(pattern);
  const matching =
    compiled === null || typeof compiled === "string" || column.kind === "number"
      ? null
      : new Set(column.texts.flatMap((text, at) => (compiled.test(text) ? [at] : [])));
  return (number) =>
    (chosen === null || chosen.has(number)) &&
    number >= lo &&
    number <= hi &&
    (matching === null || matching.has(number) || (column.kind === "bool" && boolMatches(column, number, pattern)));
}

function boolMatches(column: TrialColumn, number: number, pattern: string): boolean {
  return textOf(column, number).includes(pattern);
}

/** Returns 1 for trials that are inside of all brushes; null if there is no brush. */
export function brushMask(
  count: number,
  columns: readonly TrialColumn[],
  brushes: Readonly<Record<string, TrialBrush>>,
): Mask | null {
  const brushed = columns.filter(({ id }) => hasBrush(brushes[id]));
  if (brushed.length === 0) return null;
  const mask = new Uint8Array(count).fill(1);
  for (const column of brushed) applyBrush(mask, column, brushes[column.id] ?? {});
  return mask;
}

export function hasBrush(brush: TrialBrush | undefined): boolean {
  return (brush?.ranges?.length ?? 0) > 0 || (brush?.values?.length ?? 0) > 0;
}

function applyBrush(mask: Mask, column: TrialColumn, brush: TrialBrush): void {
  const { numbers } = column;
  const ranges = brush.ranges ?? [];
  const values = new Set((brush.values ?? []).map((value) => numberOf(column, value)));
  for (let trial = 0; trial < mask.length; trial++) {
    if (mask[trial] === 0) continue;
    const number = numbers[trial] ?? Number.NaN;
    let touched = values.has(number);
    for (let at = 0; !touched && at < ranges.length; at++) {
      const range = ranges[at];
      touched = range !== undefined && number >= range[0] && number <= range[1];
    }
    if (!touched) mask[trial] = 0;
  }
}

/** Returns a filter that passes the same trials as the brush; null if a single filter cannot. */
export function asFilter(brush: TrialBrush): TrialFilter | null {
  if (brush.values !== undefined && brush.values.length > 0) return { values: brush.values, absent: false };
  const [range, ...more] = brush.ranges ?? [];
  return range === undefined || more.length > 0 ? null : { lo: range[0], hi: range[1], absent: false };
}
