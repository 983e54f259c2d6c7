// Regular expressions that people type, tried on ten thousand names while they type: as in TensorBoard they are looked
// for anywhere, case ignored. Syntax and answers are the server's (query/patterns.py); tests/query/pattern_cases.json
// holds both to it. `RegExp` backtracks and cannot be interrupted, so the matcher is our own.

import { Matcher } from "./pattern_matcher";
import { compileProgram } from "./pattern_program";
import { parsePattern, Refused, type Trouble } from "./pattern_tree";

export type { Trouble } from "./pattern_tree";

export const MAX_PATTERN = 2000;
/** Of a name so many characters are looked at, as the server does. */
export const MAX_SUBJECT = 1000;
/** Of a line of a text. */
export const MAX_LINE = 20_000;

export type Pattern = {
  readonly test: (name: string) => boolean;
  /** The match and what each bracket caught. */
  readonly exec: (name: string) => readonly (string | undefined)[] | null;
  /** Starts and ends of all finds in a text, line by line; empty ones are left out. */
  readonly finds: (text: string) => Iterable<readonly [start: number, end: number]>;
  readonly groups: number;
  /** True once it has taken far too many steps: from then on it matches nothing. */
  readonly spent: () => boolean;
};

/** The pattern, or why there is none. */
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
