// Whether the window is too narrow for tables.

import { signal } from "@preact/signals";

const query = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 759px)");

export const narrow = signal(query?.matches ?? false);

query?.addEventListener("change", (event) => {
  narrow.value = event.matches;
});
