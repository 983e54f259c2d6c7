// Formats titles, cells and other texts of trials for display.

import { computed } from "@preact/signals";
import { formatNumber } from "../../base/numbers";
import { shownName } from "../../state/annotations";
import * as hparamsWords from "../../state/texts/hparams";
import { trials } from "../../state/trials";
import { STATUSES, type TrialColumn } from "../../state/trials_columns";
import type { AxisTick, TrialAxis } from "../../state/trials_scales";
import { dateText, durationText, spoken } from "../../state/view";

export function words(): hparamsWords.Texts {
  return spoken(hparamsWords);
}

/** Returns the name of a trial; a trial of one run has the name of the run. */
export function titleOf(trial: number): string {
  const now = trials.value;
  const [run, ...more] = now?.runs[trial] ?? [];
  if (run === undefined || more.length > 0) return now?.names[trial] ?? "";
  const own = shownName(run);
  return own === run ? shortName(run) : own;
}

/** Length of the directory prefix that all runs share. */
const shared = computed(() => {
  const runs = trials.value?.runs.flat() ?? [];
  const [first = ""] = runs;
  let length = runs.length < 2 ? 0 : first.lastIndexOf("/") + 1;
  for (const run of runs)
    while (length > 0 && !run.startsWith(first.slice(0, length))) length = first.lastIndexOf("/", length - 2) + 1;
  return length;
});

/** Returns the name of a run without the prefix that all runs share. */
export function shortName(run: string): string {
  return run.slice(shared.value);
}

export const titles = computed<readonly string[]>(() => (trials.value?.names ?? []).map((_, trial) => titleOf(trial)));

/** Number of characters of the longest name. */
export const longestName = computed(() => titles.value.reduce((most, title) => Math.max(most, title.length), 0));

export function columnTitle(column: TrialColumn): string {
  if (column.role !== "fact") return column.title;
  const t = words();
  const titles: Readonly<Record<string, string>> = {
    status: t.status,
    start: t.start,
    duration: t.duration,
    repeats: t.repeats,
  };
  return titles[column.id] ?? column.title;
}

/** Returns the text of a cell; "" if there is no value. */
export function formatNumberOf(column: TrialColumn, number: number): string {
  if (Number.isNaN(number)) return "";
  if (column.id === "status") return words().statuses[STATUSES[number] ?? "unknown"];
  if (column.id === "start") return dateText(number, "minute") ?? "";
  if (column.id === "duration") return durationText(number, 1);
  if (column.kind === "text") return column.texts[number] ?? "";
  if (column.kind === "bool") return words().truth[number === 1 ? "true" : "false"];
  return formatNumber(number, 5);
}

/** Returns the label of a tick. */
export function tickLabel({ column }: TrialAxis, tick: AxisTick): string {
  return column.kind === "bool" ? formatNumberOf(column, tick.number) : tick.label;
}

export function formatCell(column: TrialColumn, trial: number): string {
  return formatNumberOf(column, column.numbers[trial] ?? Number.NaN);
}

/** Returns the reason why there is no value. */
export function whyAbsent(column: TrialColumn, trial: number): string {
  const t = words();
  const code = trials.value?.reasonOf(column, trial) ?? "";
  return t.whyValue[code] ?? t.whyValueOther;
}

/** Returns a difference with its sign; "" if there is nothing to compare. */
export function formatDelta(number: number, base: number): string {
  const delta = number - base;
  if (!Number.isFinite(delta)) return "";
  if (delta === 0) return "±0";
  return `${delta > 0 ? "+" : ""}${formatNumber(delta, 3)}`;
}

/** Returns true for numbers, which are right-aligned. */
export function alignsRight(column: TrialColumn): boolean {
  return column.kind === "number" && column.id !== "status";
}
