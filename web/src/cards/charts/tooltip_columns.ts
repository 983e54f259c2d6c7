// Columns of the tooltip: the text of each cell, and the whole table as text for the clipboard.

import { formatIso } from "../../base/locale";
import { formatNumber } from "../../base/numbers";
import { shortNames } from "../../base/short_names";
import type { Texts } from "../../state/texts";
import { dateText, durationText, grouped } from "../../state/view";
import { shortRun } from "../run_name";
import type { Tip, TipRow } from "./tooltip_state";

export type Column = {
  readonly key: string;
  readonly title: string;
  readonly text?: boolean;
  readonly cell: (row: TipRow) => string;
  readonly hover?: (row: TipRow) => string | undefined;
  /** Text for the clipboard, with all digits. */
  readonly exact: (row: TipRow) => string;
};

const NONE = "–";
const MOST_LETTERS = 34;

function number(value: number | null | undefined): string {
  return value === null || value === undefined ? NONE : formatNumber(value);
}

function exact(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(value);
}

function wall(seconds: number | null | undefined): string {
  return (seconds === null || seconds === undefined ? null : dateText(seconds, "second")) ?? NONE;
}

function iso(seconds: number | null | undefined): string {
  return formatIso(seconds ?? Number.NaN) ?? "";
}

/** Returns the number to compare: the smoothed value if smoothing is on. */
function compared(row: TipRow, smoothed: boolean): number | null {
  if (row.reading === null) return null;
  return smoothed ? row.reading.smoothed : row.reading.value;
}

type Words = Texts["timeseries"];

/** `detailed`: with the time of each point. The column of the x axis is always there. */
export function columnsOf(tip: Tip, baseline: string, words: Words, detailed: boolean): readonly Column[] {
  const { card, question } = tip.model;
  const { x } = question.value;
  const always = ["step", ...(x === "wall" ? ["time"] : []), ...(x === "relative" ? ["relative"] : [])];
  const smoothed = question.value.smoothing !== "";
  return [
    runColumn(words, tip),
    ...(card.value.tags.length > 1 ? [tagColumn(words, card.value.tags)] : []),
    ...(smoothed ? [smoothedColumn(words)] : []),
    valueColumn(words, smoothed),
    ...(card.value.edges === undefined
      ? []
      : [edgeColumn(words, "lower", smoothed), edgeColumn(words, "upper", smoothed)]),
    ...(baseline !== "" && tip.baseline.size > 0 ? [deltaColumn(words, tip, baseline, smoothed)] : []),
    ...timeColumns(words).filter(({ key }) => detailed || always.includes(key)),
  ];
}

function runColumn(words: Words, tip: Tip): Column {
  const name = (row: TipRow): string => row.run || row.name;
  const labels = tip.rows.flatMap((row) => (row.group === null ? [] : [row.name]));
  const groups = shortNames(labels, MOST_LETTERS);
  const cell = (row: TipRow): string => (row.group === null ? shortRun(row.run) : (groups.get(row.name) ?? row.name));
  return { key: "run", title: words.run, text: true, cell, hover: name, exact: name };
}

function tagColumn(words: Words, tags: readonly string[]): Column {
  const name = (row: TipRow): string => row.tag;
  const short = shortNames(tags, MOST_LETTERS);
  const cell = (row: TipRow): string => short.get(row.tag) ?? row.tag;
  return { key: "tag", title: words.tag, text: true, cell, hover: name, exact: name };
}

function smoothedColumn(words: Words): Column {
  return {
    key: "smoothed",
    title: words.smoothed,
    cell: (row) => number(row.reading === null ? row.y : row.reading.smoothed),
    hover: (row) => exact(row.reading?.smoothed),
    exact: (row) => exact(row.reading === null ? row.y : row.reading.smoothed),
  };
}

function valueColumn(words: Words, smoothed: boolean): Column {
  return {
    key: "value",
    title: words.value,
    cell: (row) => number(row.reading === null ? (smoothed && row.group === null ? null : row.y) : row.reading.value),
    hover: (row) => exact(row.reading?.value),
    exact: (row) => exact(row.reading === null ? row.y : row.reading.value),
  };
}

function edgeColumn(words: Words, name: "lower" | "upper", smoothed: boolean): Column {
  const edge = (row: TipRow): number | null => (smoothed ? row[name]?.smoothed : row[name]?.value) ?? null;
  return { key: name, title: words[name], cell: (row) => number(edge(row)), exact: (row) => exact(edge(row)) };
}

function deltaColumn(words: Words, tip: Tip, baseline: string, smoothed: boolean): Column {
  const delta = (row: TipRow): number | null => {
    const base = tip.baseline.get(row.tag);
    const own = compared(row, smoothed);
    const other = base === undefined ? null : smoothed ? base.smoothed : base.value;
    return own === null || other === null ? null : own - other;
  };
  return {
    key: "delta",
    title: words.delta(baseline),
    cell: (row) => {
      const by = delta(row);
      return by === null ? NONE : `${by > 0 ? "+" : ""}${formatNumber(by)}`;
    },
    exact: (row) => exact(delta(row)),
  };
}

function timeColumns(words: Words): readonly Column[] {
  return [
    {
      key: "step",
      title: words.step,
      cell: (row) => (row.reading?.step == null ? NONE : grouped(row.reading.step)),
      exact: (row) => exact(row.reading?.step),
    },
    {
      key: "time",
      title: words.time,
      cell: (row) => wall(row.reading?.wallTime),
      hover: (row) => iso(row.reading?.wallTime),
      exact: (row) => iso(row.reading?.wallTime),
    },
    {
      key: "relative",
      title: words.relative,
      cell: (row) => (row.reading?.relative == null ? NONE : durationText(row.reading.relative)),
      exact: (row) => exact(row.reading?.relative),
    },
  ];
}

/** Returns tab-separated text, which spreadsheets can paste. */
export function tipTable(rows: readonly TipRow[], columns: readonly Column[]): string {
  const clean = (text: string): string => text.replace(/[\t\r\n]+/g, " ");
  const lines = [
    columns.map((column) => clean(column.title)),
    ...rows.map((row) => columns.map((column) => clean(column.exact(row)))),
  ];
  return lines.map((cells) => cells.join("\t")).join("\n");
}
