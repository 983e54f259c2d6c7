// Durations as people write them: "90s", "45m", "1h30m", "7d" (hub/life/durations.py has the same rules). Seconds in
// and out; 0 stands for never.

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ["w", 604_800],
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
];
const SECONDS_OF = new Map(UNITS);
const LONGEST_SECS = 3650 * 86_400;

/** Returns null if the text is not a duration. */
export function parseDuration(text: string): number | null {
  const plain = text.trim().toLowerCase();
  if (plain === "never") return 0;
  if (plain === "") return null;
  let total = 0;
  let last = Number.POSITIVE_INFINITY;
  let rest = plain;
  while (rest !== "") {
    const match =
      /^(\d{1,9}(?:\.\d{1,6})?)\s*(weeks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\s*/.exec(rest);
    const size = SECONDS_OF.get(match?.[2]?.charAt(0) ?? "");
    // "30m1h" is a mistake
    if (match === null || size === undefined || size >= last) return null;
    total += Number(match[1]) * size;
    last = size;
    rest = rest.slice(match[0].length);
  }
  return total > 0 && total <= LONGEST_SECS ? total : null;
}

/** "1h30m" for 5400, which `parseDuration` reads again. */
export function writeDuration(seconds: number): string {
  let rest = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of UNITS.slice(1)) {
    const count = Math.floor(rest / size);
    if (count > 0) parts.push(`${count}${unit}`);
    rest -= count * size;
  }
  return parts.join("");
}

export type Limits = { readonly least: number | null; readonly most: number | null };

/** "Never" (0) is longer than everything. */
export function isWithin(seconds: number, { least, most }: Limits): boolean {
  const size = seconds === 0 ? Number.POSITIVE_INFINITY : seconds;
  if (least !== null && least > 0 && size < least) return false;
  return most === null || most === 0 || size <= most;
}
