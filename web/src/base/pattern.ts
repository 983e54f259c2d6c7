// Regular expressions that people type, tested on ten thousand names at each keystroke. As in TensorBoard they match
// anywhere in a name and ignore case. Syntax and results are the same as on the server (query/patterns.py);
// tests/query/pattern_cases.json tests both. `RegExp` backtracks and cannot be interrupted, so we have our own matcher.

import { Matcher } from "./pattern_matcher";
import { compileProgram } from "./pattern_program";
import { parsePattern, Refused, type Trouble } from "./pattern_tree";

export type { Trouble } from "./pattern_tree";

export const MAX_PATTERN = 2000;
/** Only this many characters of a name are searched, as on the server. */
export const MAX_SUBJECT = 1000;
/** Only this many characters of a line of text are searched. */
export const MAX_LINE = 20_000;

export type Pattern = {
  readonly test: (name: string) => boolean;
  /** Returns the match and its captured groups. */
  readonly exec: (name: string) => readonly (string | undefined)[] | null;
  /** Returns start and end of all matches in a text, line by line, without empty matches. */
  readonly finds: (text: string) => Iterable<readonly [start: number, end: number]>;
  readonly groups: number;
  /** True after it has used up its steps: from then on it matches nothing. */
  readonly spent: () => boolean;
};

/** Returns the compiled pattern, or the reason why it is refused. */
export function compilePattern(text: string): Pattern | Trouble {
  if (text.length > MAX_PATTERN) return "long";
  try {
    const { tree, groups } = parsePattern(text);
    const matcher = new Matcher(compileProgram(tree));
    return {
      test: (name) => matcher.test(name.slice(0, MAX_SUBJECT)),
      exec: (name) => caughtIn(matcher, name.slice(0, MAX_SUBJECT), groups),
      finds: (content) => findsIn(matcher, content),
      groups,
      spent: () => matcher.spent,
    };
  } catch (error) {
    if (error instanceof Refused) return error.trouble;
    throw error;
  }
}

function caughtIn(matcher: Matcher, name: string, groups: number): readonly (string | undefined)[] | null {
  const places = matcher.test(name) ? matcher.exec(name) : null;
  if (places === null) return null;
  return Array.from({ length: groups + 1 }, (_, group) => {
    const [start, end] = places.slice(2 * group, 2 * group + 2);
    return start === undefined || end === undefined ? undefined : name.slice(start, end);
  });
}

function* findsIn(matcher: Matcher, text: string): Generator<readonly [number, number]> {
  let offset = 0;
  for (const whole of text.split("\n")) {
    const line = whole.slice(0, MAX_LINE);
    let at = 0;
    while (at <= line.length && (at > 0 || matcher.test(line))) {
      const [start, end] = matcher.exec(line, at) ?? [];
      if (start === undefined || end === undefined) break;
      if (end > start) yield [offset + start, offset + end];
      at = end > start ? end : end + 1;
    }
    offset += whole.length + 1;
  }
}
