// Parses regular expressions into trees. The syntax is RE2's, as docs/reference/filters.md describes it and the server
// accepts it.

export type Trouble = "long" | "large" | "lookaround" | "backreference" | "invalid";

/** Thrown while a pattern is parsed; `compilePattern` catches it. */
export class Refused extends Error {
  constructor(readonly trouble: Trouble) {
    super(trouble);
  }
}

export type Assertion = "textStart" | "textEnd" | "lineStart" | "lineEnd" | "word" | "notWord";

/**
 * A set of characters: all that are in one of `parts`, or if `negated` all others. A part is the inside of a `[…]` of
 * JavaScript.
 */
export type CharacterSet = {
  readonly parts: readonly { readonly inside: string; readonly negated: boolean }[];
  readonly negated: boolean;
  readonly caseless: boolean;
  /** Approximate size in the server's program. */
  readonly weight: number;
};

export type Tree =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "all"; readonly parts: readonly Tree[] }
  | { readonly kind: "any"; readonly parts: readonly Tree[] }
  | { readonly kind: "repeat"; readonly body: Tree; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly kind: "group"; readonly body: Tree; readonly index: number };

const MAX_REPEAT = 1000;
const MAX_DEPTH = 1000;

type Flags = { readonly i: boolean; readonly m: boolean; readonly s: boolean; readonly U: boolean };
type Part = CharacterSet["parts"][number];

const escaped = (code: number): string => `\\u{${code.toString(16)}}`;
const range = (from: string, to: string): string => `${escaped(from.charCodeAt(0))}-${escaped(to.charCodeAt(0))}`;

const DIGIT = range("0", "9");
const ALPHA = range("A", "Z") + range("a", "z");
const WORD = `${DIGIT}${ALPHA}_`;
const ESCAPED_SETS: Readonly<Record<string, string>> = { d: DIGIT, w: WORD, s: "\\t\\n\\f\\r " };
const NAMED_SETS: Readonly<Record<string, string>> = {
  alnum: DIGIT + ALPHA,
  alpha: ALPHA,
  ascii: range("\0", "\x7f"),
  blank: "\\t ",
  cntrl: `${range("\0", "\x1f")}\\x7f`,
  digit: DIGIT,
  graph: range("!", "~"),
  lower: range("a", "z"),
  print: range(" ", "~"),
  punct: range("!", "/") + range(":", "@") + range("[", "`") + range("{", "~"),
  space: `${range("\t", "\r")} `,
  upper: range("A", "Z"),
  word: WORD,
  xdigit: DIGIT + range("A", "F") + range("a", "f"),
};
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Throws `Refused` if the pattern is not allowed. */
export function parsePattern(text: string): { readonly tree: Tree; readonly groups: number } {
  const parser = new Parser(Array.from(text));
  const tree = parser.whole();
  if (repeatsLeft(tree, MAX_REPEAT) === 0) throw new Refused("large");
  return { tree, groups: parser.groups };
}

/** Returns how many repeats are still allowed inside nested repeats, as RE2 counts them. */
function repeatsLeft(tree: Tree, left: number): number {
  if (tree.kind === "set" || tree.kind === "assert") return left;
  if (tree.kind === "all" || tree.kind === "any")
    return Math.min(left, ...tree.parts.map((part) => repeatsLeft(part, left)));
  if (tree.kind === "group") return repeatsLeft(tree.body, left);
  const times = tree.max === Number.POSITIVE_INFINITY ? tree.min : tree.max;
  return repeatsLeft(tree.body, times > 0 ? Math.floor(left / times) : left);
}

/** State: `at` is the index of the next character; `flags` are the flags that are active there. */
class Parser {
  groups = 0;
  private at = 0;
  private depth = 0;
  private flags: Flags = { i: true, m: false, s: false, U: false };

  constructor(private readonly text: readonly string[]) {}

  whole(): Tree {
    const tree = this.alternatives();
    if (this.at < this.text.length) throw new Refused("invalid"); // an unmatched `)`
    return tree;
  }

  private peek(ahead = 0): string {
    return this.text[this.at + ahead] ?? "";
  }

  private next(): string {
    return this.text[this.at++] ?? "";
  }

  private starts(words: string): boolean {
    return this.text.slice(this.at, this.at + words.length).join("") === words;
  }

  private alternatives(): Tree {
    const parts = [this.sequence()];
    while (this.peek() === "|") {
      this.at++;
      parts.push(this.sequence());
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "any", parts };
  }

  private sequence(): Tree {
    const parts: Tree[] = [];
    while (this.at < this.text.length && this.peek() !== "|" && this.peek() !== ")") {
      const found = this.atoms();
      const repeat = this.repeat();
      parts.push(...found);
      if (repeat === null) continue;
      // flags may be between the repeated atom and the repeat sign
      const body = parts.pop();
      if (body === undefined || this.repeat() !== null) throw new Refused("invalid");
      parts.push({ kind: "repeat", body, ...repeat });
    }
    return { kind: "all", parts };
  }

  /** Returns one atom; none for flags, several for a quotation. */
  private atoms(): readonly Tree[] {
    const character = this.peek();
    if ("*+?".includes(character) || (character === "{" && this.braces() !== null)) return [];
    this.at++;
    if (character === "(") return this.bracket();
    if (character === "[") return [this.characters()];
    if (character === ".") return [this.dot()];
    if (character === "^") return [{ kind: "assert", what: this.flags.m ? "lineStart" : "textStart" }];
    if (character === "$") return [{ kind: "assert", what: this.flags.m ? "lineEnd" : "textEnd" }];
    if (character === "\\") return this.escape();
    return [this.literal(character.codePointAt(0) ?? 0)];
  }

  private literal(code: number): Tree {
    return this.set([{ inside: escaped(code), negated: false }], false, code < 128 ? 1 : 3);
  }

  private dot(): Tree {
    return this.set(this.flags.s ? [NO_BREAK, BREAK] : [NO_BREAK], false, 8);
  }

  private set(parts: readonly Part[], negated: boolean, weight: number): Tree {
    return { kind: "set", set: { parts, negated, caseless: this.flags.i, weight } };
  }

  // ---- repeats

  private repeat(): { readonly min: number; readonly max: number; readonly lazy: boolean } | null {
    const character = this.peek();
    let limits: readonly [number, number];
    if (character === "*") limits = [0, Number.POSITIVE_INFINITY];
    else if (character === "+") limits = [1, Number.POSITIVE_INFINITY];
    else if (character === "?") limits = [0, 1];
    else {
      const found = character === "{" ? this.braces() : null;
      if (found === null) return null;
      this.at += found.length - 1;
      limits = found.limits;
    }
    this.at++;
    const lazy = this.peek() === "?";
    if (lazy) this.at++;
    const [min, max] = limits;
    if (min > MAX_REPEAT || (max > MAX_REPEAT && max !== Number.POSITIVE_INFINITY) || max < min)
      throw new Refused("large");
    return { min, max, lazy: lazy !== this.flags.U };
  }

  /** Parses `{2}`, `{2,}` or `{2,3}`; any other brace is a plain character. */
  private braces(): { readonly limits: readonly [number, number]; readonly length: number } | null {
    const found = /^\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}/.exec(this.text.slice(this.at, this.at + 40).join(""));
    if (found === null) return null;
    const min = Number(found[1]);
    const max = found[2] === undefined ? min : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3]);
    // digits and signs are one unit each, so the string length counts characters
    return { limits: [min, max], length: found[0].length };
  }

  // ---- brackets

  private bracket(): readonly Tree[] {
    if (++this.depth > MAX_DEPTH) throw new Refused("large");
    const outside = this.flags;
    let index = 0;
    if (this.peek() !== "?") index = ++this.groups;
    else {
      this.at++;
      if (this.named()) index = ++this.groups;
      else if (this.flagsEnd() === ")") {
        this.depth--;
        return [];
      }
    }
    const body = this.alternatives();
    if (this.next() !== ")") throw new Refused("invalid");
    this.flags = outside;
    this.depth--;
    return [index > 0 ? { kind: "group", body, index } : body];
  }

  /** Returns true if a group name follows `(?`. Constructs that cannot be matched in linear time are refused. */
  private named(): boolean {
    if (["=", "!", "<=", "<!"].some((sign) => this.starts(sign))) throw new Refused("lookaround");
    if (this.starts("P=")) throw new Refused("backreference");
    if (!this.starts("P<") && !this.starts("<")) return false;
    const end = this.text.indexOf(">", this.at);
    const name = this.text.slice(this.text.indexOf("<", this.at) + 1, end).join("");
    if (end < 0 || !/^[\p{L}\p{M}\p{N}\p{Pc}]+$/u.test(name)) throw new Refused("invalid");
    this.at = end + 1;
    return true;
  }

  /** Parses flags as in `(?i)` and `(?i:`; returns the character after them. */
  private flagsEnd(): string {
    const changed: { i: boolean; m: boolean; s: boolean; U: boolean } = { ...this.flags };
    let on = true;
    let some = true;
    while (this.at < this.text.length) {
      const character = this.next();
      if (character === "-" && on) [on, some] = [false, false];
      else if (character === "i" || character === "m" || character === "s" || character === "U")
        [changed[character], some] = [on, true];
      else if ((character === ":" || character === ")") && some) {
        this.flags = changed;
        return character;
      } else break;
    }
    throw new Refused("invalid");
  }

  // ---- escapes

  private escape(): readonly Tree[] {
    const character = this.peek();
    const what = ASSERTIONS[character];
    if (what !== undefined) {
      this.at++;
      return [{ kind: "assert", what }];
    }
    if (character === "Q") return this.quotation();
    const part = this.maybeSet();
    if (part !== null) return [this.set([part], false, part.inside.startsWith("\\p") ? 300 : 8)];
    return [this.literal(this.code())];
  }

  private quotation(): readonly Tree[] {
    this.at++;
    const parts: Tree[] = [];
    while (this.at < this.text.length && !this.starts("\\E")) parts.push(this.literal(this.next().codePointAt(0) ?? 0));
    this.at += 2;
    return parts;
  }

  /** Parses `\d`, `\pL` and the like, after the backslash; returns null for anything else. */
  private maybeSet(): Part | null {
    const character = this.peek();
    const inside = ESCAPED_SETS[character.toLowerCase()];
    if (inside !== undefined) {
      this.at++;
      return { inside, negated: character !== character.toLowerCase() };
    }
    if (character !== "p" && character !== "P") return null;
    this.at++;
    let name = this.next();
    if (name === "{") {
      const end = this.text.indexOf("}", this.at);
      if (end < 0) throw new Refused("invalid");
      name = this.text.slice(this.at, end).join("");
      this.at = end + 1;
    }
    const turned = name.startsWith("^");
    return { inside: unicodeSet(turned ? name.slice(1) : name), negated: turned !== (character === "P") };
  }

  /** Returns the character that an escape means, after the backslash. */
  private code(): number {
    const character = this.next();
    const control = CONTROLS[character];
    if (control !== undefined) return control;
    if (character === "x" || character === "u") return this.hexadecimal(character);
    if (/^[0-9]$/.test(character)) return this.octal(character);
    if (character === "k") throw new Refused("backreference");
    if (character === "" || /^(?:[a-zA-Z]|[^\0-\x7f])/u.test(character)) throw new Refused("invalid");
    return character.charCodeAt(0);
  }

  private octal(first: string): number {
    if (first !== "0" && (first > "7" || !/^[0-7]$/.test(this.peek()))) throw new Refused("backreference");
    let digits = first;
    while (digits.length < 3 && /^[0-7]$/.test(this.peek())) digits += this.next();
    return Number.parseInt(digits, 8);
  }

  private hexadecimal(letter: string): number {
    const rest = this.text.slice(this.at, this.at + 12).join("");
    const found = (letter === "u" ? /^([0-9a-f]{4})/i : /^(?:\{([0-9a-f]+)\}|([0-9a-f]{2}))/i).exec(rest);
    const code = Number.parseInt(found?.[1] ?? found?.[2] ?? "", 16);
    if (found === null || code > 0x10ffff) throw new Refused("invalid");
    this.at += found[0].length;
    return code;
  }

  // ---- characters in `[…]`

  private characters(): Tree {
    const negated = this.peek() === "^";
    if (negated) this.at++;
    const parts: Part[] = [];
    let plain = "";
    for (let first = true; first || this.peek() !== "]"; first = false) {
      if (this.at >= this.text.length) throw new Refused("invalid");
      const part = this.maybeNamedSet() ?? this.maybeEscapedSet();
      if (part !== null) parts.push(part);
      else plain += this.rangeHere();
    }
    this.at++;
    if (plain !== "") parts.push({ inside: plain, negated: false });
    const wide = parts.some(({ inside }) => inside.startsWith("\\p"));
    return this.set(parts, negated, wide ? 300 : 8);
  }

  private maybeNamedSet(): Part | null {
    if (!this.starts("[:")) return null;
    const rest = this.text.slice(this.at, this.at + 16).join("");
    const found = /^\[:(\^?)(\w+):\]/.exec(rest);
    const inside = NAMED_SETS[found?.[2] ?? ""];
    if (found !== null && inside !== undefined) {
      this.at += found[0].length;
      return { inside, negated: found[1] === "^" };
    }
    if (this.text.slice(this.at).join("").includes(":]")) throw new Refused("invalid");
    return null;
  }

  private maybeEscapedSet(): Part | null {
    if (this.peek() !== "\\" || !/^[dswpDSWP]$/.test(this.peek(1))) return null;
    this.at++;
    return this.maybeSet();
  }

  private rangeHere(): string {
    const from = this.oneInSet();
    if (this.peek() !== "-" || this.peek(1) === "]" || this.peek(1) === "") return escaped(from);
    this.at++;
    const to = this.oneInSet();
    if (to < from) throw new Refused("invalid");
    return `${escaped(from)}-${escaped(to)}`;
  }

  private oneInSet(): number {
    const character = this.next();
    return character === "\\" ? this.code() : (character.codePointAt(0) ?? 0);
  }
}

const BREAK: Part = { inside: "\\n", negated: false };
const NO_BREAK: Part = { inside: "\\n", negated: true };
const ASSERTIONS: Readonly<Record<string, Assertion | undefined>> = {
  A: "textStart",
  z: "textEnd",
  Z: "textEnd",
  b: "word",
  B: "notWord",
};

/** Names of categories have one or two letters, names of scripts more. */
function unicodeSet(name: string): string {
  if (name === "Any") return `${escaped(0)}-${escaped(0x10ffff)}`;
  const inside = /^[A-Z][a-z]?$/.test(name) ? `\\p{gc=${name}}` : `\\p{sc=${name}}`;
  try {
    new RegExp(inside, "u");
    return inside;
  } catch {
    throw new Refused("invalid");
  }
}
