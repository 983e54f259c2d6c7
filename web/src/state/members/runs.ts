// Which runs are listed and drawn, their table, their colors.

import { choiceField, type Fields, flagField, jsonField, namesField, textField } from "../fields";
import { type ColumnFilter, isColumnFilter, isWidth, record } from "./shared";

export type ColumnFilters = Readonly<Record<string, ColumnFilter>>;

export const PALETTES = ["names", "safe", "tensorboard"] as const;

export const BANDS = ["std", "minmax", "quantiles", "none"] as const;

export type RunsMembers = {
  readonly runFilter: string;
  /** Columns to sort by, the first counts most, turned round by "-": "-last:loss", "start". Empty: by name. */
  readonly runSort: readonly string[];
  readonly runTree: boolean;
  /** Folders of the tree ("a/b") and groups ("group:LABEL") that are folded away. */
  readonly folded: readonly string[];
  /** Runs shown although the rest is hidden; counts when `showOnly` is set. */
  readonly show: readonly string[];
  /** Runs hidden although the rest is shown. */
  readonly hide: readonly string[];
  /** Only the runs in `show` are drawn. */
  readonly showOnly: boolean;
  /** All runs are drawn although they are many; without it a large board begins with a few. */
  readonly showAll: boolean;
  readonly archived: boolean;
  readonly pinnedRuns: readonly string[];
  /** Run the others are compared with; "" for none. */
  readonly baseline: string;
  /** Columns of the run list beside the name: "hparam:lr", "last:loss", "start", "duration", "state" … */
  readonly runColumns: readonly string[];
  /** Columns of the table of runs, in the reader's order. Empty: those chosen by rule. */
  readonly tableColumns: readonly string[];
  readonly columnPins: readonly string[];
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Which values of a column may be listed, by column. */
  readonly columnFilters: ColumnFilters;
  /** Leave out columns in which all runs agree, in the table and in comparisons. */
  readonly onlyDiffering: boolean;
  /** Shade the cells of numeric columns by value. */
  readonly shadeCells: boolean;
  /** Which part of the page of a run is shown. */
  readonly runTab: string;
  /** "", "regex:PATTERN" or "hparam:NAME": runs that belong together become one line with a band. */
  readonly group: string;
  readonly band: (typeof BANDS)[number];
  /** "run", "regex:PATTERN", "hparam:NAME": what a color stands for. */
  readonly colorBy: string;
  readonly palette: (typeof PALETTES)[number];
  /** With a palette that repeats: tell runs of one color apart by dashes. */
  readonly dashes: boolean;
  /** Colors chosen by hand in this view, by run; colors kept with the logs are the annotations'. */
  readonly colors: Readonly<Record<string, string>>;
};

function isColor(value: unknown): value is string {
  return typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);
}

export const runsMembers: Fields<RunsMembers> = {
  runFilter: textField(),
  runSort: namesField(),
  runTree: flagField(false),
  folded: namesField(),
  show: namesField(),
  hide: namesField(),
  showOnly: flagField(false),
  showAll: flagField(false),
  archived: flagField(false),
  pinnedRuns: namesField(),
  baseline: textField(),
  runColumns: namesField(),
  tableColumns: namesField(),
  columnPins: namesField(),
  columnWidths: jsonField<Readonly<Record<string, number>>>({}, record(isWidth)),
  columnFilters: jsonField<ColumnFilters>({}, record(isColumnFilter)),
  onlyDiffering: flagField(false),
  shadeCells: flagField(false),
  runTab: textField("overview"),
  group: textField(),
  band: choiceField(BANDS, "std"),
  colorBy: textField("run"),
  palette: choiceField(PALETTES, "names"),
  dashes: flagField(true),
  colors: jsonField<Readonly<Record<string, string>>>({}, record(isColor)),
};
