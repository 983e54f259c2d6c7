// A tag as a regular expression.

/** Returns an expression that matches only this tag, both in Python and in JavaScript. */
export function exactPattern(tag: string): string {
  return `${tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
