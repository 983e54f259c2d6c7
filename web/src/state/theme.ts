// The current theme: the view's, or the preference of the user's system.

import { computed, effect, signal } from "@preact/signals";
import type { Theme } from "../base/color";
import { view } from "./view";

const system = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system?.matches ?? false);
system?.addEventListener("change", (event) => {
  systemDark.value = event.matches;
});

export const theme = computed<Theme>(() => {
  const chosen = view.value.theme;
  if (chosen !== "auto") return chosen;
  return systemDark.value ? "dark" : "light";
});

/** Sets the theme of the style sheet, now and at every change. */
export function bindThemeToPage(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}
