// The sentences for the server's errors. They are loaded with the first error: most visits never show one.

import { signal } from "@preact/signals";
import { beforeErrors } from "../api/client";
import type * as errors from "./texts/errors";
import { language } from "./view";

const area = signal<typeof errors | null>(null);
let asked: Promise<void> | null = null;

/** Never fails: without them errors are shown in the server's words. */
export function loadSentences(): Promise<void> {
  asked ??= import("./texts/errors").then(
    (loaded) => {
      area.value = loaded;
    },
    () => {
      asked = null;
    },
  );
  return asked;
}

// an error that is shown once, as in a message, must not come before its sentence
beforeErrors(() => (area.peek() === null ? loadSentences() : null));

/** Returns null until they are loaded; what depends on them is then shown again. */
export function sentences(): errors.Texts | null {
  if (area.value === null) void loadSentences();
  return area.value?.words[language.value] ?? null;
}
