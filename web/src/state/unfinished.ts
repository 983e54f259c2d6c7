// Recognizes filters that are still being typed: errors in them are not shown as mistakes, and the last result stays.

const OPENING = "([{";
const CLOSING = ")]}";
// after these words and signs something must follow
const AWAITS_MORE = /(?:[=!<>+\-*/%,.]|(?:^|\W)(?:and|or|not|in))\s*$/i;

/** True if more typing could mend the expression. `position`: where the server found the error. */
export function isUnfinished(text: string, position: number | null): boolean {
  const rest = withoutQuotes(text);
  if (rest === null || opened(rest) > 0 || AWAITS_MORE.test(rest)) return true;
  // the last word may be the beginning of a longer one
  const lastWord = text.length - (/\w*\s*$/.exec(text)?.[0].length ?? 0);
  return position !== null && position >= lastWord;
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
