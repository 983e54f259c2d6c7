// Members of the page of trials and their hparams.

import { choiceField, type Fields, flagField, jsonField, namesField, textField } from "../fields";
import type { TrialBrush, TrialFilter } from "../trials_filter";
import { isColumnFilter, isText, isWidth, record, stepField } from "./shared";

export const HPARAMS_VIEWS = ["table", "parallel", "scatter", "importance"] as const;

export const HPARAMS_VALUES = ["last", "best", "min", "max", "mean", "at", "by"] as const;

export const HPARAMS_GOALS = ["min", "max"] as const;

export type TrialGoal = (typeof HPARAMS_GOALS)[number];

export const HPARAMS_REPEATS = ["group", "same", "none"] as const;

export const HPARAMS_SPREADS = ["mean", "median", "min", "max"] as const;

export const HPARAMS_SCALES = ["linear", "log", "quantile"] as const;

export type TrialScale = (typeof HPARAMS_SCALES)[number];

/**
 * How trials of hidden runs are shown. "auto": large boards hide most runs by default, so there it is "same", elsewhere
 * "dim".
 */
export const HPARAMS_HIDDEN = ["auto", "same", "dim", "out"] as const;

export type HparamsMembers = {
  readonly hparamsView: (typeof HPARAMS_VIEWS)[number];
  /** Columns of the table and axes, in the user's order: "hparam:lr", "metric:loss". Empty: the default columns. */
  readonly hparamsColumns: readonly string[];
  readonly hparamsWidths: Readonly<Record<string, number>>;
  /** As `runSort`: "-metric:accuracy". Empty: the server's order. */
  readonly hparamsSort: readonly string[];
  /** Filters of the listed trials, by column. */
  readonly hparamsFilters: Readonly<Record<string, TrialFilter>>;
  /** Brushes that highlight some of the listed trials, by column. */
  readonly hparamsBrushes: Readonly<Record<string, TrialBrush>>;
  /** Statuses that are hidden. */
  readonly hparamsStatus: readonly string[];
  /** Scalar tags that are metrics. Empty: those of the experiment, or the server's choice. */
  readonly hparamsMetrics: readonly string[];
  /** Which value of a metric's series is used. */
  readonly hparamsValue: (typeof HPARAMS_VALUES)[number];
  /** The step for `hparamsValue` "at". */
  readonly hparamsStep: string;
  /** For `hparamsValue` "by": all values at the step where this metric is best. "": the first metric. */
  readonly hparamsBy: string;
  /** Whether low or high is best, by metric, if its name does not tell or is misleading. */
  readonly hparamsGoals: Readonly<Record<string, TrialGoal>>;
  /** Which runs are repeats of one trial. */
  readonly hparamsRepeats: (typeof HPARAMS_REPEATS)[number];
  /** How the values of repeats are combined. */
  readonly hparamsSpread: (typeof HPARAMS_SPREADS)[number];
  /** Scales of axes, by column. */
  readonly hparamsScales: Readonly<Record<string, TrialScale>>;
  /** Axes with reversed direction. */
  readonly hparamsInverted: readonly string[];
  /** The column that defines colors, or "run": the colors of runs. "": the first metric. */
  readonly hparamsColor: string;
  /** How trials of hidden runs are shown. */
  readonly hparamsHidden: (typeof HPARAMS_HIDDEN)[number];
  /** The trial whose details are shown; "" for none. */
  readonly hparamsTrial: string;
  /** Trials whose charts are expanded in the table. */
  readonly hparamsOpen: readonly string[];
  /** The side pane with lists and filters is open. */
  readonly hparamsPane: boolean;
  /** The metric whose importances are shown; "": the first. */
  readonly hparamsTarget: string;
};

function isTrialFilter(value: unknown): value is TrialFilter {
  return isColumnFilter(value) && ["string", "undefined"].includes(typeof (value as TrialFilter).pattern);
}

function isTrialBrush(value: unknown): value is TrialBrush {
  if (typeof value !== "object" || value === null) return false;
  const { ranges = [], values = [] } = value as Record<string, unknown>;
  const pair = (one: unknown): boolean => Array.isArray(one) && one.length === 2 && one.every(Number.isFinite);
  return Array.isArray(ranges) && ranges.every(pair) && Array.isArray(values) && values.every(isText);
}

function isTrialScale(value: unknown): value is TrialScale {
  return HPARAMS_SCALES.some((scale) => scale === value);
}

function isTrialGoal(value: unknown): value is TrialGoal {
  return HPARAMS_GOALS.some((goal) => goal === value);
}

export const hparamsMembers: Fields<HparamsMembers> = {
  hparamsView: choiceField(HPARAMS_VIEWS, "table"),
  hparamsColumns: namesField(),
  hparamsWidths: jsonField<Readonly<Record<string, number>>>({}, record(isWidth)),
  hparamsSort: namesField(),
  hparamsFilters: jsonField<Readonly<Record<string, TrialFilter>>>({}, record(isTrialFilter)),
  hparamsBrushes: jsonField<Readonly<Record<string, TrialBrush>>>({}, record(isTrialBrush)),
  hparamsStatus: namesField(),
  hparamsMetrics: namesField(),
  hparamsValue: choiceField(HPARAMS_VALUES, "last"),
  hparamsStep: stepField(),
  hparamsBy: textField(),
  hparamsGoals: jsonField<Readonly<Record<string, TrialGoal>>>({}, record(isTrialGoal)),
  hparamsRepeats: choiceField(HPARAMS_REPEATS, "group"),
  hparamsSpread: choiceField(HPARAMS_SPREADS, "mean"),
  hparamsScales: jsonField<Readonly<Record<string, TrialScale>>>({}, record(isTrialScale)),
  hparamsInverted: namesField(),
  hparamsColor: textField(),
  hparamsHidden: choiceField(HPARAMS_HIDDEN, "auto"),
  hparamsTrial: textField(),
  hparamsOpen: namesField(),
  hparamsPane: flagField(true),
  hparamsTarget: textField(),
};
