// Columns, rows and cells of the table of runs, and its export as a file.

import { computed, signal } from "@preact/signals";
import { allLabels, annotations, remarksOf, shownName } from "./annotations";
import { kinds } from "./board";
import type { ColumnFilter } from "./members/shared";
import { type Cell, cellsOf, hparamOf, hparams, isNumeric, isSystemMetric, metricOf, scalarTags } from "./run_columns";
import { allRuns } from "./run_facts";
import { filtersExpression, isExpression } from "./run_filter";
import { grouper } from "./run_groups";
import { sortOf } from "./run_order";
import { groupedRows, listedRuns, type Row } from "./run_rows";
import { changeView, member, view } from "./view";

const chosen = member("tableColumns");
const pins = member("columnPins");
const widths = member("columnWidths");
const onlyDiffering = member("onlyDiffering");
const shadeCells = member("shadeCells");
const columnFilters = member("columnFilters");
const baseline = member("baseline");

const FIRST_HPARAMS = 12;
const FIRST_METRICS = 6;
// values of one metric of 100,000 runs take some megabytes
const FIRST_METRICS_OF_MANY = 1;
const MANY = 20_000;
// comparing each hparam of more runs takes too long
const MOST_COMPARED_RUNS = 5000;

/** The default columns of the table. */
const usualColumns = computed<readonly string[]>(() => {
  const noted = Object.values(annotations.value.runs).some((said) => said.note !== undefined);
  const metrics = allRuns.value.length > MANY ? FIRST_METRICS_OF_MANY : FIRST_METRICS;
  const known = hparams.value;
  const varied = known === null ? [] : known.names.filter((_, at) => known.differs[at]);
  return [
    "state",
    ...(allLabels.value.length > 0 ? ["labels"] : []),
    ...(noted ? ["note"] : []),
    ...mainMetrics(scalarTags.value, kinds.value.scalars?.runs ?? [], metrics).map((tag) => `last:${tag}`),
    ...differingColumns(varied.map((name) => `hparam:${name}`)),
    "start",
    "duration",
  ];
});

// a metric of fewer runs, relative to the most common one, is not shown by default
const LEAST_SHARE = 0.1;

/** Returns the metrics that most runs have, in natural order; metrics of the machine only if there are no others. */
export function mainMetrics(tags: readonly string[], runsOfTags: readonly number[], count: number): readonly string[] {
  const places = tags.map((_, place) => place);
  const own = places.filter((place) => !isSystemMetric(tags[place] ?? ""));
  const ranked = (own.length > 0 ? own : places).sort((a, b) => (runsOfTags[b] ?? 0) - (runsOfTags[a] ?? 0) || a - b);
  const most = runsOfTags[ranked[0] ?? 0] ?? 0;
  return ranked
    .filter((place) => (runsOfTags[place] ?? 0) >= most * LEAST_SHARE)
    .slice(0, count)
    .sort((a, b) => a - b)
    .flatMap((place) => tags[place] ?? []);
}

/** Returns the first columns in which listed runs have different values, and those that are filtered or sorted by. */
function differingColumns(columns: readonly string[]): readonly string[] {
  if (listedRuns.value.length > MOST_COMPARED_RUNS) return columns.slice(0, FIRST_HPARAMS);
  const found: string[] = [];
  for (const column of columns) {
    if (found.length >= FIRST_HPARAMS) break;
    if (varies(listedRuns.value.map(cellsOf(column))) || isUsed(column)) found.push(column);
  }
  return found;
}

/** Returns true if there are two different values; runs without a value do not count. */
export function varies(values: readonly Cell[]): boolean {
  const first = values.find((value) => value !== null);
  return first !== undefined && values.some((value) => value !== null && !Object.is(value, first));
}

function isUsed(column: string): boolean {
  return columnFilters.value[column] !== undefined || sortOf(column) !== null;
}

/** All columns, with different values or not, in the user's order. */
export const allColumns = computed<readonly string[]>(() =>
  chosen.value.length > 0 ? chosen.value : usualColumns.value,
);

/** Columns of the table, pinned ones first. */
export const tableColumns = computed<readonly string[]>(() => {
  const columns = onlyDiffering.value ? allColumns.value.filter(differs) : allColumns.value;
  const first = new Set(pins.value);
  return first.size === 0
    ? columns
    : [...columns.filter((column) => first.has(column)), ...columns.filter((column) => !first.has(column))];
});

export const pinnedColumns = computed<number>(() => {
  const first = new Set(pins.value);
  return tableColumns.value.filter((column) => first.has(column)).length;
});

function differs(column: string): boolean {
  const read = cellsOf(column);
  const [first, ...rest] = listedRuns.value;
  if (first === undefined) return true;
  const value = read(first);
  return rest.some((run) => !Object.is(read(run), value));
}

/** Width of the names if the user chose none; the table sets it to what its names need. */
export const namePx = signal(300);

export function widthOf(column: string): number {
  const own = widths.value[column];
  if (own !== undefined) return own;
  if (column === "name") return namePx.value;
  if (column === "labels" || column === "note") return 150;
  if (column === "start" || column === "last_time") return 132;
  if (column === "duration") return 128;
  if (column === "state") return 104;
  const metric = metricOf(column);
  const values = metric === null ? VALUE_PX : baseline.value === "" ? METRIC_PX : METRIC_WITH_DELTA_PX;
  return Math.max(values, headPx(metric?.tag ?? hparamOf(column) ?? ""));
}

// a number of five digits with exponent; the same and its difference from the baseline
const VALUE_PX = 104;
const METRIC_PX = 128;
const METRIC_WITH_DELTA_PX = 180;
// a longer name is shortened
const MOST_HEAD_PX = 200;

/** Returns the width of a head that shows the name of a column without folders, its sort mark and its menu. */
function headPx(name: string): number {
  const letters = name.length - name.lastIndexOf("/") - 1;
  return Math.min(MOST_HEAD_PX, letters * 8 + 48);
}

/** Rows of the table: runs, or groups with their runs. */
export const tableRows = computed<readonly Row[]>(() => {
  const by = grouper.value;
  return by === null ? listedRuns.value : groupedRows(listedRuns.value, by);
});

export type Extent = readonly [lo: number, hi: number];

/** Lowest and highest value of each numeric column among the listed runs; empty unless cells are shaded. */
export const extents = computed<ReadonlyMap<string, Extent>>(() => {
  const found = new Map<string, Extent>();
  if (!shadeCells.value) return found;
  for (const column of tableColumns.value) {
    const extent = isNumeric(column) ? extentOf(column, listedRuns.value) : null;
    if (extent !== null) found.set(column, extent);
  }
  return found;
});

export function extentOf(column: string, runs: readonly string[]): Extent | null {
  const read = cellsOf(column);
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const run of runs) {
    const value = read(run);
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo > hi ? null : [lo, hi];
}

export type Aggregate = { readonly mean: number; readonly lo: number; readonly hi: number; readonly count: number };

/** Returns mean and range of a column in a group; null if no run has a number. */
export function aggregate(column: string, runs: readonly string[]): Aggregate | null {
  const read = cellsOf(column);
  const numbers = runs
    .map(read)
    .filter((value): value is number => typeof value === "number" && Number.isFinite(value));
  if (numbers.length === 0) return null;
  const sum = numbers.reduce((a, b) => a + b, 0);
  return { mean: sum / numbers.length, lo: Math.min(...numbers), hi: Math.max(...numbers), count: numbers.length };
}

// ---- changing columns

function put(columns: readonly string[]): void {
  changeView({ tableColumns: columns });
}

export function setColumns(columns: readonly string[]): void {
  put(columns);
}

export function removeColumn(column: string): void {
  put(allColumns.value.filter((one) => one !== column));
}

/** Moves a column before another; null: to the end. */
export function moveColumn(column: string, before: string | null): void {
  if (column === before) return;
  const rest = allColumns.value.filter((one) => one !== column);
  const at = before === null ? rest.length : rest.indexOf(before);
  put([...rest.slice(0, at), column, ...rest.slice(at)]);
}

export function shiftColumn(column: string, by: number): void {
  const rest = allColumns.value.filter((one) => one !== column);
  const at = Math.min(rest.length, Math.max(0, allColumns.value.indexOf(column) + by));
  put([...rest.slice(0, at), column, ...rest.slice(at)]);
}

export function togglePinned(column: string): void {
  const now = pins.value;
  changeView({ columnPins: now.includes(column) ? now.filter((one) => one !== column) : [...now, column] });
}

export function setWidth(column: string, widthPx: number): void {
  const width = Math.round(Math.min(2000, Math.max(48, widthPx)));
  changeView({ columnWidths: { ...widths.value, [column]: width } });
}

// ---- filters of columns

export function setColumnFilter(column: string, filter: ColumnFilter | null): void {
  const { [column]: _, ...others } = view.value.columnFilters;
  changeView({ columnFilters: filter === null ? others : { ...others, [column]: filter } });
}

/** Returns all column filters and the typed filter as one expression, which also works on the command line. */
export function asExpression(): string {
  const typed = view.value.runFilter.trim();
  const chips = filtersExpression(view.value.columnFilters);
  if (typed === "") return chips;
  const first = isExpression(typed) ? `(${typed})` : `matches(name, ${JSON.stringify(typed)})`;
  return chips === "" ? first : `${first} and ${chips}`;
}

// a longer list of values is not useful as a menu
const MOST_VALUES = 1000;

/** Returns the distinct values of a column over all runs, or null if a range filter is more useful. */
export function valuesOf(column: string): readonly (string | number | boolean)[] | null {
  if (column === "labels") return allLabels.value;
  const read = cellsOf(column);
  const found = new Set<string | number | boolean>();
  for (const run of allRuns.value) {
    const value = read(run);
    if (value !== null) found.add(value);
    if (found.size > MOST_VALUES) return isNumeric(column) ? null : [...found].slice(0, MOST_VALUES);
  }
  const values = [...found];
  const few = hparamOf(column) !== null && values.length <= 12;
  if (values.every((value) => typeof value === "number") && !few) return null;
  return values.sort((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1,
  );
}

// ---- the table as a file

export type Export = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };

export function tableOf(runs: readonly string[], columns: readonly string[]): Export {
  const readers = columns.map((column) => (column === "labels" ? labelsCell : cellsOf(column)));
  return {
    columns: ["run", "name", ...columns],
    rows: runs.map((run) => [run, shownName(run), ...readers.map((read) => read(run))]),
  };
}

function labelsCell(run: string): Cell {
  return remarksOf(run).tags?.join(" ") ?? null;
}

export function csvOf({ columns, rows }: Export): string {
  const line = (cells: readonly Cell[]): string => cells.map(csvCell).join(",");
  return [line(columns), ...rows.map(line), ""].join("\r\n");
}

function csvCell(value: Cell): string {
  if (value === null) return "";
  const text = String(value);
  // a spreadsheet would execute a text that begins like a formula
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function jsonOf({ columns, rows }: Export): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column, jsonCell(row[at] ?? null)])),
  );
  return `${JSON.stringify(objects, null, 1)}\n`;
}

// JSON has no NaN; the server writes it the same way
function jsonCell(value: Cell): Cell {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
