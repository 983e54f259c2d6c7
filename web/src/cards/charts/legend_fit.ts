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
/** Limits of letters, tried in this order: complete names first. */
const LIMITS = [Number.POSITIVE_INFINITY, 48, 40, 32, 28, 24, 20, 18, 16, 14, 13, 12, 11, 10] as const;
/** For narrow cards, in which not even two entries fit otherwise. */
const LAST_LIMITS = [8, 6] as const;

/**
 * All entries are shown if they fit, else as many as possible; names are as long as possible. `shorten` returns the short
 * form of each name.
 */
export function fitLegend(
  entries: readonly EntryTexts[],
  widthPx: number,
  shorten: (names: readonly string[], most: number) => readonly string[],
): LegendFit {
  const names = entries.map(({ name }) => name);
  const forms = (limits: readonly number[]): readonly Form[] =>
    limits.map((most) => {
      const short = shorten(names, most);
      return { names: short, widths: widthsOf(entries, short) };
    });
  const usual = forms(LIMITS);
  const found = fitOf(usual, entries.length, widthPx) ?? fitOf(forms(LAST_LIMITS), entries.length, widthPx);
  return found ?? { names: (usual.at(-1)?.names ?? []).slice(0, 1), columns: 1 };
}

type Form = { readonly names: readonly string[]; readonly widths: readonly number[] };

/** Returns the fit with the most entries and, among those, the longest names; null if there is none with two entries. */
function fitOf(forms: readonly Form[], count: number, widthPx: number): LegendFit | null {
  for (let shown = count; shown > 0 && (shown > 1 || shown === count); shown--) {
    for (const { names, widths } of forms) {
      const columns = columnsOf(shown === count ? widths : [...widths.slice(0, shown), MORE_PX], widthPx);
      if (columns > 0) return { names: names.slice(0, shown), columns };
    }
  }
  return null;
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
