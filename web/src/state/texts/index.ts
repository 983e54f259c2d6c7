// Every word the page shows, in each language, one file per area. A missing translation does not compile.

import * as runs from "./runs";
import * as shell from "./shell";
import * as timeseries from "./timeseries";

export type Language = "en" | "zh";

const TEXTS = {
  en: { shell: shell.english, runs: runs.english, timeseries: timeseries.english },
  zh: { shell: shell.chinese, runs: runs.chinese, timeseries: timeseries.chinese },
} as const satisfies Record<Language, unknown>;

export type Texts = { readonly shell: shell.Texts; readonly runs: runs.Texts; readonly timeseries: timeseries.Texts };

export function textsFor(language: Language): Texts {
  return TEXTS[language];
}

/** The first of the reader's languages that we speak; English otherwise. */
export function chooseLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const primary = tag.toLowerCase().split("-")[0];
    if (primary === "zh" || primary === "en") return primary;
  }
  return "en";
}
