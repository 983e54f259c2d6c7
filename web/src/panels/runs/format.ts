// Formats cells and times of runs in the user's language.

import { formatAgo } from "../../base/locale";
import { formatNumber } from "../../base/numbers";
import type { Cell } from "../../state/run_columns";
import { hparamOf, isNumeric, metricOf } from "../../state/run_columns";
import { RUN_STATES } from "../../state/run_facts";
import { dateText, durationText, language, texts } from "../../state/view";

const ABSENT = "";

export function isMoment(column: string): boolean {
  return column === "start" || column === "last_time";
}

export function formatCell(column: string, value: Cell): string {
  if (value === null) return ABSENT;
  if (isMoment(column)) return typeof value === "number" ? (dateText(value, "minute") ?? ABSENT) : ABSENT;
  if (column === "duration") return typeof value === "number" ? durationText(value, 1) : ABSENT;
  if (column === "state") return stateWord(String(value));
  if (typeof value === "boolean") return texts.value.runs.truth[value ? "yes" : "no"];
  return typeof value === "number" ? formatNumber(value, 5) : value;
}

export function stateWord(state: string): string {
  const known = RUN_STATES.find((one) => one === state);
  return known === undefined ? state : texts.value.runs.states[known];
}

/** A difference with its sign; "" if there is nothing to compare. */
export function formatDelta(value: Cell, base: Cell): string {
  if (typeof value !== "number" || typeof base !== "number") return "";
  const delta = value - base;
  if (!Number.isFinite(delta)) return "";
  if (delta === 0) return "±0";
  return `${delta > 0 ? "+" : ""}${formatNumber(delta, 3)}`;
}

/** A number with its difference from the baseline; "" if there is none, or no space for it. */
export type FittedNumber = { readonly text: string; readonly delta: string };

// the widest digits of common fonts at 13 px
const DIGIT_PX = 8.4;
// the column of differences in a table is at least as wide as this many digits
const LEAST_DELTA = 7;

/** Formats a number for a cell: fewer digits, then no difference, if the space is narrow. A digit is never cut off. */
export function fitNumber(value: number, base: Cell, widthPx: number): FittedNumber {
  const room = Math.floor(widthPx / DIGIT_PX);
  const delta = formatDelta(value, base);
  const deltaRoom = delta === "" ? 0 : Math.max(delta.length, LEAST_DELTA) + 1;
  const fits = (used: number) => (digits: number) => formatNumber(value, digits).length + used <= room;
  const beside = [5, 4, 3].find(fits(deltaRoom));
  if (beside !== undefined) return { text: formatNumber(value, beside), delta };
  return { text: formatNumber(value, [5, 4, 3, 2].find(fits(0)) ?? 1), delta: "" };
}

/** Formats a cell of a table or list that is `widthPx` wide, with the difference from the baseline's value. */
export function fitCell(column: string, value: Cell, base: Cell, widthPx: number): FittedNumber {
  const plain = typeof value === "number" && !isMoment(column) && column !== "duration";
  return plain ? fitNumber(value, base, widthPx) : { text: formatCell(column, value), delta: "" };
}

/** Difference relative to the baseline, as "+3.2 %". */
export function formatPercent(value: Cell, base: Cell): string {
  if (typeof value !== "number" || typeof base !== "number" || base === 0) return "";
  const share = ((value - base) / Math.abs(base)) * 100;
  if (!Number.isFinite(share)) return "";
  return `${share > 0 ? "+" : ""}${formatNumber(share, 3)} %`;
}

const AGES: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "3 minutes ago" */
export function formatAge(seconds: number, now = Date.now() / 1000): string {
  const age = Math.max(0, now - seconds);
  const [unit, size] = AGES.find(([, one]) => age >= one) ?? (["second", 1] as const);
  return formatAgo(Math.floor(age / size), unit, language.value);
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : Number(size.toPrecision(3))} ${units[unit]}`;
}

/** The heading of a column. */
export function columnTitle(column: string): string {
  const t = texts.value.runs;
  const metric = metricOf(column);
  if (metric !== null) return t.metricOf(metric.of, metric.tag);
  const hparam = hparamOf(column);
  if (hparam !== null) return hparam;
  return t.facts[column as keyof typeof t.facts] ?? column;
}

/** Numbers are right-aligned. */
export function alignsRight(column: string): boolean {
  return isNumeric(column) || isMoment(column);
}
