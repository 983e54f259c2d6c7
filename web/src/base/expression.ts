// Metric expressions: a tag that begins with "=" is computed from other tags, such as `= "train/loss" - "val/loss"`.
// The server parses and evaluates them; the page only shows them and needs to know which tags they contain.

const PREFIX = "=";

const QUOTED = /"((?:[^"]|"")*)"/g;

const PLAIN_NAME = /^[^\s+*^(),"'−–×·÷-]+$/;

/** Functions of docs/reference/expressions.md. */
export const FUNCTIONS = [
  "abs",
  "exp",
  "sqrt",
  "log",
  "log10",
  "min",
  "max",
  "diff",
  "cumsum",
  "cummin",
  "cummax",
  "ema",
  "mean",
  "in_run",
] as const;

export function isExpression(tag: string): boolean {
  return tag.startsWith(PREFIX);
}

/** Returns the text for a title: without "=", and without quotes around names that need none. */
export function expressionTitle(tag: string): string {
  if (!isExpression(tag)) return tag;
  return tag
    .slice(PREFIX.length)
    .trim()
    .replace(QUOTED, (quoted, inner: string) => (PLAIN_NAME.test(inner) ? inner : quoted));
}

/** Returns true if the expression contains one of the tags. Names of other runs are in quotes, too, and may match. */
export function mentions(tag: string, tags: ReadonlySet<string>): boolean {
  if (!isExpression(tag)) return false;
  return [...tag.matchAll(QUOTED)].some(([, inner]) => tags.has((inner ?? "").replaceAll('""', '"')));
}

export function usesOtherRuns(tag: string): boolean {
  return isExpression(tag) && tag.includes("in_run(");
}
