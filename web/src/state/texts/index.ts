// Every word the page shows, in each language, one file per area. A missing translation does not compile. Areas of
// pages that are fetched when they are first shown come with them (`spoken` in view.ts); here are those of the first load.

import * as cards from "./cards";
import * as patterns from "./patterns";
import * as runs from "./runs";
import * as shell from "./shell";
import * as timeseries from "./timeseries";

export type Language = "en" | "zh";

/** A new area is one line here. */
const AREAS = {
  shell,
  runs,
  timeseries,
  cards,
  patterns,
} as const;

export type Texts = { readonly [Area in keyof typeof AREAS]: (typeof AREAS)[Area]["english"] };

function inLanguage(language: "english" | "chinese"): Texts {
  return Object.fromEntries(Object.entries(AREAS).map(([area, words]) => [area, words[language]])) as Texts;
}

const TEXTS: Readonly<Record<Language, Texts>> = { en: inLanguage("english"), zh: inLanguage("chinese") };

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
