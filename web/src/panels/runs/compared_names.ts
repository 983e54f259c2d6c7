// Names of compared runs, for heads with several lines: shortened only if they need more lines than a head has.

import { signal } from "@preact/signals";
import { partsOf, type Size, shortNames } from "../../base/short_names";
import { shownName } from "../../state/annotations";
import { textPx } from "../../widgets/text_width";

/** Width of the comparison page. */
export const comparisonPx = signal(948);

const MOST_LINES = 3;
// between two columns; dot, button and paddings beside a name
const GAP_PX = 12;
const TOOLS_PX = 74;
const LEAST_PX = 60;
const BOLD = 1.1;

export function comparedNames(runs: readonly string[]): ReadonlyMap<string, string> {
  const columnPx = (comparisonPx.value - GAP_PX * (runs.length - 1)) / runs.length;
  const linePx = Math.max(LEAST_PX, columnPx - TOOLS_PX);
  const size = (text: string): number => textPx.value(text) * BOLD;
  return shortNames(runs.map(shownName), MOST_LINES, (text) => linesOf(text, linePx, size));
}

/** Returns how many lines a text needs; a part that is longer than a line counts as too many. */
export function linesOf(text: string, linePx: number, size: Size): number {
  let lines = 1;
  let usedPx = 0;
  for (const part of partsOf(text)) {
    const px = size(part);
    if (px > linePx) lines += MOST_LINES * Math.ceil(px / linePx);
    if (usedPx + px > linePx && usedPx > 0) {
      lines++;
      usedPx = 0;
    }
    usedPx += px;
  }
  return lines;
}
