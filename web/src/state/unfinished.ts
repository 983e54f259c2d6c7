// Recognizes filters and metric expressions that are still being typed: errors in them are not shown as mistakes, and the
// last result stays.

import { FUNCTIONS } from "../base/expression";

const OPENING = "([{";
const CLOSING = ")]}";
// after these words and signs something must follow
const AWAITS_MORE = /(?:[=!<>+\-*/%,.]|(?:^|\W)(?:and|or|not|in))\s*$/i;

/** True if a filter expression ends with an open quote or bracket, or after a sign that needs more. It cannot be valid. */
export function endsTooEarly(text: string, awaitsMore = AWAITS_MORE): boolean {
  const rest = withoutQuotes(text);
  return rest === null || opened(rest) > 0 || awaitsMore.test(rest);
}

/** True if more typing could mend the filter. `position`, `code`: where the server found the error, and which. */
export function isUnfinished(text: string, position: number | null, code = ""): boolean {
  if (endsTooEarly(text)) return true;
  if (position === null) return false;
  // the last word may be the beginning of a longer one
  const lastWord = text.length - (/(?:\bhparams\.)?\w*\s*$/.exec(text)?.[0].length ?? 0);
  if (position >= lastWord) return true;
  // `start > ag` compares a time with nothing useful, `last("loss")` is not a condition: both can go on
  if (code === "filter.compare") return isFirstWord(text.slice(lastWord));
  return code === "filter.no_condition" && !/\s(?:and|or)\s/i.test(withoutQuotes(text.slice(position)) ?? "");
}

const METRIC_AWAITS_MORE = /(?:^\s*=?|[-+*/^,−–×·÷])\s*$/;

/** The same for metric expressions. */
export function metricEndsTooEarly(text: string): boolean {
  return endsTooEarly(text, METRIC_AWAITS_MORE);
}

/** True if the text from the mistake on is the start of a metric or a function. */
export function isUnfinishedMetric(text: string, position: number | null, tags: readonly string[]): boolean {
  if (metricEndsTooEarly(text)) return true;
  const last = position === null ? "" : text.slice(position).trim();
  return last !== "" && (tags.some((tag) => tag.startsWith(last)) || FUNCTIONS.some((name) => name.startsWith(last)));
}

/** Returns the text with empty quotes; null if a quote is open. */
function withoutQuotes(text: string): string | null {
  const rest = text.replace(/"[^"]*"|'[^']*'/g, '""');
  return /"/.test(rest.replaceAll('""', "")) || rest.includes("'") ? null : rest;
}

/** Returns how many brackets are open at the end; less than 0 if one is closed that was not open. */
function opened(text: string): number {
  let depth = 0;
  for (const letter of text) {
    if (OPENING.includes(letter)) depth++;
    else if (CLOSING.includes(letter)) depth--;
    if (depth < 0) return depth;
  }
  return depth;
}

/** True if a regular expression has an open bracket or ends in the middle of an escape. */
export function isUnfinishedPattern(text: string): boolean {
  const rest = text.replace(/\\[\s\S]/g, "");
  if (rest.endsWith("\\")) return true;
  const outside = rest.replace(/\[\^?\]?[^\]]*\]/g, "");
  return opened(outside) > 0;
}

const WORDS = [
  "first",
  "last",
  "min",
  "max",
  "has",
  "matches",
  "hparams",
  "status",
  "duration",
  "start",
  "labels",
  "archived",
  "name",
  "not",
  "now",
  "ago",
];

/** True if the text may become an expression: "las" of `last("loss") < 1`. */
export function isFirstWord(text: string): boolean {
  const word = text.trim().toLowerCase();
  return /^[a-z]+$/.test(word) && WORDS.some((one) => one.startsWith(word));
}
