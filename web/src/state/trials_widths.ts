// Widths of the columns of trials, estimated from the texts in them.

import { distinct, type TrialColumn } from "./trials_columns";

// of the page's font, 13 px; titles are bold
const LETTER_PX = 7.4;
const TITLE_LETTER_PX = 7.8;
const PADDING_PX = 22;
// the menu of a column appears beside its title
const TITLE_TOOLS_PX = 40;
const LEAST_PX = 64;
const MOST_PX = 240;
const SOME_VALUES = 200;
// a value with five digits, and its deviation
const METRIC_LETTERS = 8;
const DEVIATION_PX = 54;

/** Returns the width that shows title and values; long texts are cut. */
export function contentPx(column: TrialColumn, repeated: boolean): number {
  const title = TITLE_TOOLS_PX + TITLE_LETTER_PX * column.title.length;
  const values = PADDING_PX + LETTER_PX * longestValue(column);
  const deviation = column.role === "metric" && repeated ? DEVIATION_PX : 0;
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, title, values + deviation)));
}

function longestValue(column: TrialColumn): number {
  if (column.role === "metric") return METRIC_LETTERS;
  if (column.kind === "text") return Math.max(0, ...column.texts.slice(0, SOME_VALUES).map((text) => text.length));
  const values = distinct(column.numbers.subarray(0, SOME_VALUES), SOME_VALUES) ?? [];
  return Math.max(0, ...values.map((number) => String(Number(number.toPrecision(5))).length));
}
