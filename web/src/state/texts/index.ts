// All texts that the page shows, in each language, one file per area. A missing translation does not compile. This file
// has the areas of the first load; areas of other pages are loaded with their page (`spoken` in view.ts).

import { LANGUAGES, type Language } from "../../base/locale";
import * as cards from "./cards";
import * as patterns from "./patterns";
import * as runs from "./runs";
import * as shell from "./shell";
import * as timeseries from "./timeseries";

/** To add an area, add a line here. */
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
