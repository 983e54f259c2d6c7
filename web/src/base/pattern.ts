// Regular expressions that people type, made safe to try on ten thousand names while they type: as in TensorBoard they
// are looked for anywhere, case ignored. JavaScript cannot be interrupted, so patterns that may run for years are refused.

export const MAX_PATTERN = 500;
/** Of a name so many characters are looked at, as the server does. */
export const MAX_SUBJECT = 1000;

export type Trouble = "long" | "nested" | "invalid";

export type Pattern = {
  readonly exec: (text: string) => RegExpExecArray | null;
  readonly test: (text: string) => boolean;
  readonly groups: number;
};

/** Why an expression must not even be tried; null when it may be. */
export function refusedFor(text: string): "long" | "nested" | null {
  if (text.length > MAX_PATTERN) return "long";
  return repeatsRepeat(text) ? "nested" : null;
}

/** The pattern, or why there is none. */
export function compilePattern(text: string): Pattern | Trouble {
  const refused = refusedFor(text);
  if (refused !== null) return refused;
  try {
    const pattern = new RegExp(text, "i");
    // an alternative that always matches tells how many groups there are
    const groups = (new RegExp(`${text}|`).exec("")?.length ?? 1) - 1;
    const cut = (subject: string): string => (subject.length > MAX_SUBJECT ? subject.slice(0, MAX_SUBJECT) : subject);
    return { exec: (subject) => pattern.exec(cut(subject)), test: (subject) => pattern.test(cut(subject)), groups };
  } catch {
    return "invalid";
  }
}

/** Whether an unlimited repeat stands inside another: `(a+)+`, `(x|y*)*`. */
function repeatsRepeat(text: string): boolean {
  // whether each open bracket, outermost first, has an unlimited repeat in it
  const open: boolean[] = [];
  let closed = false; // the part just left had one
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    let repeated = false;
    if (character === "\\") at++;
    else if (character === "[") at = classEnd(text, at);
    else if (character === "(") open.push(false);
    else if (character === ")") {
      repeated = open.pop() ?? false;
      if (repeated && open.length > 0) open[open.length - 1] = true;
    } else if (character === "*" || character === "+" || /^\{\d*,\d*\}/.test(text.slice(at, at + 12))) {
      if (closed) return true;
      if (open.length > 0) open[open.length - 1] = true;
    }
    closed = repeated;
  }
  return false;
}

function classEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "]") return at;
  }
  return text.length;
}
