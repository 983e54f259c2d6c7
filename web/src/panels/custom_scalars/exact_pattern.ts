// A tag as a regular expression.

/** Matches this tag alone, in Python as here. */
export function exactPattern(tag: string): string {
  return `${tag.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`;
}
