// Decides what a legend of few lines shows below a chart, in one row or two: how short its names are, and how many
// entries there are.

import { textWidth } from "../../chart/layout";

export type EntryTexts = { readonly name: string; readonly value: string };

export type LegendFit = {
  /** Short names of the entries that are shown. */
  readonly names: readonly string[];
  readonly columns: number;
};

// as in legend.css: color sample, gaps, padding and the gap to the next entry
const AROUND_PX = 12 + 3 + 3 + 4 + 4;
const FONT_PX = 12;
const MORE_PX = 60;
/** Limits of letters, tried in this order. */
const LIMITS = [24, 20, 16, 13, 10, 8, 6] as const;

/** All entries are shown if they fit, else as many as possible. `shorten` returns the short form of each name. */
export function fitLegend(
  entries: readonly EntryTexts[],
  widthPx: number,
  shorten: (names: readonly string[], most: number) => readonly string[],
): LegendFit {
  const names = entries.map(({ name }) => name);
  let short: readonly string[] = [];
  for (const most of LIMITS) {
    short = shorten(names, most);
    const columns = columnsOf(widthsOf(entries, short), widthPx);
    if (columns > 0) return { names: short, columns };
  }
  const widths = widthsOf(entries, short);
  for (let shown = entries.length - 1; shown > 1; shown--) {
    const columns = columnsOf([...widths.slice(0, shown), MORE_PX], widthPx);
    if (columns > 0) return { names: short.slice(0, shown), columns };
  }
  return { names: short.slice(0, 1), columns: 1 };
}

function widthsOf(entries: readonly EntryTexts[], names: readonly string[]): readonly number[] {
  return entries.map(({ value }, i) => AROUND_PX + textWidth((names[i] ?? "") + value, FONT_PX));
}

/** Returns the number of columns that puts everything into one row or two; 0 if it does not fit. */
function columnsOf(widths: readonly number[], widthPx: number): number {
  for (const columns of [widths.length, Math.ceil(widths.length / 2)]) {
    let neededPx = 0;
    for (let i = 0; i < columns; i++) neededPx += Math.max(widths[i] ?? 0, widths[i + columns] ?? 0);
    if (neededPx <= widthPx) return Math.max(1, columns);
  }
  return 0;
}
