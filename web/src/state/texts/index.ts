// Every word the page shows, in each language, one file per area. A missing translation does not compile.

import * as audio from "./audio";
import * as cards from "./cards";
import * as custom_scalars from "./custom_scalars";
import * as histograms from "./histograms";
import * as html from "./html";
import * as images from "./images";
import * as mesh from "./mesh";
import * as plotly from "./plotly";
import * as pr_curves from "./pr_curves";
import * as runs from "./runs";
import * as shell from "./shell";
import * as tables from "./tables";
import * as tensors from "./tensors";
import * as text from "./text";
import * as timeseries from "./timeseries";
import * as video from "./video";

export type Language = "en" | "zh";

/** A new area is one line here. */
const AREAS = {
  shell,
  runs,
  timeseries,
  cards,
  images,
  audio,
  video,
  text,
  html,
  tables,
  plotly,
  histograms,
  pr_curves,
  custom_scalars,
  mesh,
  tensors,
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
