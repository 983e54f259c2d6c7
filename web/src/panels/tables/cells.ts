// Formatting of cells: rounded numbers (the tooltip has all digits), and column widths.

import { formatNumber } from "../../base/numbers";
import type { Cell, TableColumn } from "../../state/table_pages";

const DIGITS = 6;

/** JSON cannot hold these numbers: they arrive as strings. */
const WORDS: Readonly<Record<string, string>> = { NaN: "NaN", Infinity: "∞", "-Infinity": "−∞" };

export function shownCell(cell: Cell, number: boolean): string {
  if (cell === null) return "–";
  if (typeof cell === "boolean") return cell ? "true" : "false";
  if (typeof cell === "string") return number ? (WORDS[cell] ?? cell) : cell;
  return Number.isInteger(cell) ? String(cell).replace("-", "−") : formatNumber(cell, DIGITS);
}

const LETTER_PX = 7.2;
const PADDING_PX = 22;
const LEAST_PX = 64;
const MOST_PX = 280;

/** Width of each column in pixels, from its name and a sample of its cells. */
export function widthsOf(columns: readonly TableColumn[], sample: readonly (readonly Cell[])[]): readonly number[] {
  return columns.map(({ name, type }, at) => {
    // space for the sort arrow beside the name
    let letters = lettersOf(name) + 2;
    for (const row of sample) letters = Math.max(letters, lettersOf(shownCell(row[at] ?? null, type === "number")));
    return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, letters * LETTER_PX + PADDING_PX)));
  });
}

/** Counts Chinese, Japanese and Korean characters twice, because they are twice as wide. */
function lettersOf(text: string): number {
  let letters = 0;
  for (const letter of text.slice(0, 60)) letters += (letter.codePointAt(0) ?? 0) > 0x2e80 ? 2 : 1;
  return letters;
}
