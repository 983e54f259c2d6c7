// How good a password is, shown while it is typed. Only the length is required (hub/people/passwords.py); the rest is
// advice.

export const LEAST_LENGTH = 10;
export const MOST_LENGTH = 1000;

export type Strength = "short" | "long" | "weak" | "fair" | "strong";

/** `avoid` are words that somebody would guess first: the user's name, the hub's. */
export function strengthOf(password: string, avoid: readonly string[] = []): Strength {
  // the server counts code points
  const length = [...password].length;
  if (length < LEAST_LENGTH) return "short";
  if (length > MOST_LENGTH) return "long";
  const bits = unguessed(password.toLowerCase(), avoid) * bitsPerCharacter(password);
  return bits < 35 ? "weak" : bits < 60 ? "fair" : "strong";
}

const COMMON = ["password", "passwort", "lightboard", "tensorboard", "qwerty", "letmein", "welcome", "admin", "secret"];

/** Number of characters that are not part of a common word, a repetition or a sequence such as "1234". */
function unguessed(password: string, avoid: readonly string[]): number {
  const words = [...COMMON, ...avoid.map((word) => word.toLowerCase()).filter((word) => word.length >= 3)];
  const rest = words.reduce((text, word) => text.replaceAll(word, "\u0000"), password);
  let count = 0;
  let before = Number.NaN;
  let stepBefore = Number.NaN;
  for (const character of rest) {
    const code = character.codePointAt(0) ?? 0;
    const step = code - before;
    const expected = Math.abs(step) <= 1 && step === stepBefore;
    if (code !== 0 && !expected && step !== 0) count += 1;
    [before, stepBefore] = [code, step];
  }
  return count;
}

const CLASSES: readonly (readonly [pattern: RegExp, size: number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^\x20-\x7e]/, 500],
];

/** People choose words, so a character is worth less than a random one. */
function bitsPerCharacter(password: string): number {
  const size = CLASSES.filter(([pattern]) => pattern.test(password)).reduce((sum, [, each]) => sum + each, 0);
  return Math.log2(Math.max(2, size)) * 0.7;
}
