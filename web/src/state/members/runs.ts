// Members of the run list and the table: which runs are listed and drawn, and their colors.

import { choiceField, type Fields, flagField, jsonField, namesField, textField } from "../fields";
import { type ColumnFilter, isColumnFilter, isWidth, record } from "./shared";

export type ColumnFilters = Readonly<Record<string, ColumnFilter>>;

export const PALETTES = ["vivid", "safe", "tensorboard"] as const;

export const BANDS = ["std", "minmax", "quantiles", "none"] as const;

export type RunsMembers = {
  readonly runFilter: string;
  /** Columns to sort by, the most important first; "-" means descending: "-last:loss", "start". Empty: by name. */
  readonly runSort: readonly string[];
  readonly runTree: boolean;
  /** Folders of the tree ("a/b") and groups ("group:LABEL") that are collapsed. */
  readonly folded: readonly string[];
  /** Runs that are shown while all others are hidden; used only if `showOnly` is set. */
  readonly show: readonly string[];
  /** Runs that are hidden while all others are shown. */
  readonly hide: readonly string[];
  /** Only the runs in `show` are drawn. */
  readonly showOnly: boolean;
  /** All runs are drawn even if they are many; without it a large board starts with a few. */
  readonly showAll: boolean;
  readonly archived: boolean;
  readonly pinnedRuns: readonly string[];
  /** The run that others are compared with; "" for none. */
  readonly baseline: string;
  /** Columns of the run list beside the name: "hparam:lr", "last:loss", "start", "duration", "state" … */
  readonly runColumns: readonly string[];
  /** Columns of the table of runs, in the user's order. Empty: the default columns. */
  readonly tableColumns: readonly string[];
  readonly columnPins: readonly string[];
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Filters of the listed runs, by column. */
  readonly columnFilters: ColumnFilters;
  /** Hide columns in which all runs have the same value, in the table. */
  readonly onlyDiffering: boolean;
  /** Comparisons show config values that all runs share, too. */
  readonly compareSame: boolean;
  /** Shade the cells of numeric columns by value. */
  readonly shadeCells: boolean;
  /** The selected tab of the page of a run. */
  readonly runTab: string;
  /** "", "regex:PATTERN" or "hparam:NAME": runs of a group become one line with a band. */
  readonly group: string;
  readonly band: (typeof BANDS)[number];
  /** "run", "regex:PATTERN", "hparam:NAME": what determines the color. */
  readonly colorBy: string;
  readonly palette: (typeof PALETTES)[number];
  /** If the palette repeats, distinguish runs of one color by dashes. */
  readonly dashes: boolean;
  /** Colors that the user selected in this view, by run; colors stored with the logs are in annotations. */
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
  compareSame: flagField(false),
  shadeCells: flagField(false),
  runTab: textField("overview"),
  group: textField(),
  band: choiceField(BANDS, "std"),
  colorBy: textField("run"),
  palette: choiceField(PALETTES, "vivid"),
  dashes: flagField(true),
  colors: jsonField<Readonly<Record<string, string>>>({}, record(isColor)),
};
