// Rows of the tables below charts: values at the marked step, or statistics between two steps. Pure functions.

import type { Stretch } from "../../state/step_values";
import type { Reading } from "../../state/values";

export const SINGLE_COLUMNS = ["run", "smoothed", "value", "step", "relative", "time"] as const;
export const RANGE_COLUMNS = [
  "run",
  "min",
  "max",
  "start",
  "end",
  "change",
  "percent",
  "startStep",
  "endStep",
  "stepAtMin",
  "stepAtMax",
  "mean",
  "points",
] as const;

export type ColumnKey =
  | (typeof SINGLE_COLUMNS)[number]
  | (typeof RANGE_COLUMNS)[number]
  | "first"
  | "last"
  | "lastStep";

/** Default columns, the same as in TensorBoard. */
const USUAL_SINGLE: readonly ColumnKey[] = ["run", "smoothed", "value", "step", "relative"];
const USUAL_RANGE: readonly ColumnKey[] = [
  "run",
  "min",
  "max",
  "start",
  "end",
  "change",
  "percent",
  "startStep",
  "endStep",
];

export type TableRow = {
  readonly key: string;
  readonly run: string;
  readonly tag: string;
  readonly cells: Readonly<Partial<Record<ColumnKey, number | null>>>;
};

/** Returns the chosen columns that this table has, or the default ones. */
export function columnsShown(range: boolean, chosen: readonly string[], smoothed: boolean): readonly ColumnKey[] {
  const possible: readonly ColumnKey[] = range ? RANGE_COLUMNS : SINGLE_COLUMNS;
  const own = possible.filter((column) => column === "run" || chosen.includes(column));
  const usual = range ? USUAL_RANGE : USUAL_SINGLE;
  const shown = own.length > 1 ? own : usual;
  return smoothed ? shown : shown.filter((column) => column !== "smoothed");
}

export function singleRows(readings: readonly Reading[]): readonly TableRow[] {
  return readings
    .filter((reading) => reading.step !== null)
    .map(({ run, tag, step, relative, wallTime, value, smoothed }) => ({
      key: `${tag}\n${run}`,
      run,
      tag,
      cells: { smoothed, value, step, relative, time: wallTime },
    }));
}

export function rangeRows(stretches: readonly Stretch[]): readonly TableRow[] {
  return stretches.map((one) => {
    const change = one.first === null || one.last === null ? null : one.last - one.first;
    const percent =
      change === null || one.first === null || one.first === 0 ? null : (100 * change) / Math.abs(one.first);
    return {
      key: `${one.tag}\n${one.run}`,
      run: one.run,
      tag: one.tag,
      cells: {
        min: one.min,
        max: one.max,
        start: one.first,
        end: one.last,
        change,
        percent,
        startStep: one.firstStep,
        endStep: one.lastStep,
        stepAtMin: one.stepAtMin,
        stepAtMax: one.stepAtMax,
        mean: one.mean,
        points: one.points,
        first: one.first,
        last: one.last,
        lastStep: one.lastStep,
      },
    };
  });
}

export type Order = { readonly column: ColumnKey; readonly down: boolean };

/** Sorts rows; rows without a value are last in both directions. */
export function sortRows(
  rows: readonly TableRow[],
  order: Order | null,
  nameOf: (run: string) => string,
): readonly TableRow[] {
  if (order === null) return rows;
  const { column, down } = order;
  const sign = down ? -1 : 1;
  const missing = (value: number | null | undefined): boolean =>
    value === null || value === undefined || Number.isNaN(value);
  return [...rows].sort((a, b) => {
    if (column === "run") return sign * nameOf(a.run).localeCompare(nameOf(b.run), undefined, { numeric: true });
    const [x, y] = [a.cells[column], b.cells[column]];
    if (missing(x) || missing(y)) return Number(missing(x)) - Number(missing(y));
    return sign * ((x ?? 0) - (y ?? 0));
  });
}
