// The few words widgets say themselves. The page puts them in the reader's language (see shell/app.tsx); widgets know
// nothing of languages.

import { signal } from "@preact/signals";

export type WidgetWords = {
  readonly close: string;
  readonly clear: string;
  readonly reset: string;
  readonly color: string;
  readonly suggestions: string;
  readonly earlier: string;
  readonly notANumber: string;
};

export const words = signal<WidgetWords>({
  close: "Close",
  clear: "Clear",
  reset: "Reset",
  color: "Colour",
  suggestions: "Suggestions",
  earlier: "Used before",
  notANumber: "Not a number",
});
