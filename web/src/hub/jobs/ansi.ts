// Colors and styles of terminals (SGR escape sequences) as spans. What a program prints is never HTML: spans have plain
// text, one of 16 named colors or three numbers. All other escape sequences and control characters are removed.

/** A number is one of the 16 colors of the theme, a text a color of CSS made from numbers here. */
export type Ink = number | string | null;

export type Style = {
  readonly ink: Ink;
  readonly paper: Ink;
  readonly bold: boolean;
  readonly faint: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly struck: boolean;
  readonly inverse: boolean;
};

export type Span = { readonly text: string; readonly style: Style };

export const PLAIN: Style = {
  ink: null,
  paper: null,
  bold: false,
  faint: false,
  italic: false,
  underlined: false,
  struck: false,
  inverse: false,
};

// escape sequences: CSI with its letter, OSC up to its end (links, titles), others of two characters
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  /\x1b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]+[0-~]|.?)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
const CONTROLS = /[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g;

/** The text of a line without styles, as it is searched and copied. */
export function plainText(line: string): string {
  return line.includes("\x1b") ? line.replace(SEQUENCE, "").replace(CONTROLS, "") : line.replace(CONTROLS, "");
}

/** `style` is the one at the end of the line before. */
export function parseLine(line: string, style: Style): { readonly spans: readonly Span[]; readonly end: Style } {
  if (!line.includes("\x1b")) return { spans: spanOf(line, style), end: style };
  const spans: Span[] = [];
  let at = 0;
  let now = style;
  for (const match of line.matchAll(SEQUENCE)) {
    spans.push(...spanOf(line.slice(at, match.index), now));
    if (match[2] === "m") now = styled(now, match[1] ?? "");
    at = match.index + match[0].length;
  }
  spans.push(...spanOf(line.slice(at), now));
  return { spans, end: now };
}

/** The style after a line, without making its spans. */
export function styleAfter(line: string, style: Style): Style {
  return line.includes("\x1b[") ? parseLine(line, style).end : style;
}

function spanOf(text: string, style: Style): readonly Span[] {
  const clean = text.replace(CONTROLS, "");
  return clean === "" ? [] : [{ text: clean, style }];
}

function styled(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let now = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { ink, used } = longColor(codes.slice(at + 1));
      at += used;
      if (ink !== undefined) now = code === 38 ? { ...now, ink } : { ...now, paper: ink };
    } else now = afterCode(now, code);
  }
  return now;
}

const SWITCHES: Readonly<Record<number, Partial<Style>>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underlined: true },
  7: { inverse: true },
  9: { struck: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underlined: false },
  27: { inverse: false },
  29: { struck: false },
  39: { ink: null },
  49: { paper: null },
};

function afterCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code >= 30 && code <= 37) return { ...style, ink: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, ink: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { ...style, paper: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, paper: code - 100 + 8 };
  const change = SWITCHES[code];
  return change === undefined ? style : { ...style, ...change };
}

/** What follows 38 or 48: `5;n` or `2;r;g;b`. */
function longColor(codes: readonly number[]): { readonly ink?: Ink; readonly used: number } {
  const [form, first = -1, second = -1, third = -1] = codes;
  if (form === 5) return { ...(isByte(first) ? { ink: indexed(first) } : {}), used: 2 };
  if (form !== 2) return { used: codes.length === 0 ? 0 : 1 };
  const good = [first, second, third].every(isByte);
  return { ...(good ? { ink: `rgb(${first} ${second} ${third})` } : {}), used: 4 };
}

function isByte(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= 255;
}

const STEPS = [0, 95, 135, 175, 215, 255] as const;

/** The palette of 256: 16 named ones, a cube of 6 × 6 × 6, 24 grays. */
function indexed(index: number): Ink {
  if (index < 16) return index;
  if (index >= 232) {
    const gray = 8 + 10 * (index - 232);
    return `rgb(${gray} ${gray} ${gray})`;
  }
  const cube = index - 16;
  const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return `rgb(${STEPS[red] ?? 0} ${STEPS[green] ?? 0} ${STEPS[blue] ?? 0})`;
}
