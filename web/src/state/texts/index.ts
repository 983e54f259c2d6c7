// Every word the page shows, in each language, one file per area. A missing translation does not compile. Areas of
// pages that are fetched when they are first shown come with them (`spoken` in view.ts); here are those of the first load.

import { LANGUAGES, type Language } from "../../base/locale";
import * as cards from "./cards";
import * as patterns from "./patterns";
import * as runs from "./runs";
import * as shell from "./shell";
import * as timeseries from "./timeseries";

/** A new area is one line here. */
const AREAS = {
  shell,
  runs,
  timeseries,
  cards,
  patterns,
} as const;

export type Texts = { readonly [Area in keyof typeof AREAS]: (typeof AREAS)[Area]["words"][Language] };

function inLanguage(language: Language): Texts {
  return Object.fromEntries(Object.entries(AREAS).map(([area, { words }]) => [area, words[language]])) as Texts;
}

const TEXTS = Object.fromEntries(LANGUAGES.map((language) => [language, inLanguage(language)])) as Readonly<
  Record<Language, Texts>
>;

export function textsFor(language: Language): Texts {
  return TEXTS[language];
}
