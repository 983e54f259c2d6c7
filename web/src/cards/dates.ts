// Dates as the reader writes them: in their own kind of English, or in Chinese. Formatters are kept: making one costs more
// than using it a hundred times.

import type { Language } from "../state/texts";

function dateLocale(language: Language): string {
  if (language === "zh") return "zh-CN";
  const own = globalThis.navigator?.language ?? "";
  return own.startsWith("en") ? own : "en";
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(language: Language, kind: "short" | "full"): Intl.DateTimeFormat {
  const key = `${language} ${kind}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const made = new Intl.DateTimeFormat(
    dateLocale(language),
    kind === "short" ? { month: "short", day: "numeric", ...time } : { dateStyle: "medium", timeStyle: "medium" },
  );
  formatters.set(key, made);
  return made;
}

/** Seconds since 1970; null when that is no date. */
export function formatDate(seconds: number, language: Language, kind: "short" | "full"): string | null {
  const millis = seconds * 1000;
  // beyond this there are no dates
  return Math.abs(millis) <= 8.64e15 ? formatterOf(language, kind).format(millis) : null;
}
