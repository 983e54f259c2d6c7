// The view: what the reader chose. It lives in the URL, so that a link shows the same; unknown parameters are kept.

import { computed, effect, signal } from "@preact/signals";
import { chooseLanguage, type Language, textsFor } from "./texts";

export type View = {
  readonly runFilter: string;
  readonly tagFilter: string;
  /** Null: as the browser prefers. */
  readonly language: Language | null;
};

export function parseView(search: string): View {
  const parameters = new URLSearchParams(search);
  const language = parameters.get("lang");
  return {
    runFilter: parameters.get("runs") ?? "",
    tagFilter: parameters.get("tags") ?? "",
    language: language === "zh" || language === "en" ? language : null,
  };
}

export function formatView(view: View, search: string): string {
  const parameters = new URLSearchParams(search);
  const chosen = { runs: view.runFilter, tags: view.tagFilter, lang: view.language ?? "" };
  for (const [name, value] of Object.entries(chosen)) {
    if (value === "") parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

export const view = signal<View>({ runFilter: "", tagFilter: "", language: null });

export function changeView(change: Partial<View>): void {
  view.value = { ...view.value, ...change };
}

export const language = computed<Language>(() => view.value.language ?? chooseLanguage(navigator.languages));

export const texts = computed(() => textsFor(language.value));

/** Take the view from the address and keep the two equal from now on. */
export function bindViewToAddress(): void {
  view.value = parseView(location.search);
  window.addEventListener("popstate", () => {
    view.value = parseView(location.search);
  });
  effect(() => {
    const wanted = formatView(view.value, location.search);
    if (wanted !== location.search) history.replaceState(null, "", `${location.pathname}${wanted}${location.hash}`);
  });
}
