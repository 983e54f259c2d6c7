// The language in which dates are written: the reader's own kind of English, or Chinese.

import type { Language } from "../../state/texts";

export function dateLocale(language: Language): string {
  if (language === "zh") return "zh-CN";
  const own = globalThis.navigator?.language ?? "";
  return own.startsWith("en") ? own : "en";
}
