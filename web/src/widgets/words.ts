// The few words that widgets show themselves. The page sets them in the user's language (see shell/app.tsx); widgets
// know nothing about languages.

import { signal } from "@preact/signals";

export type WidgetWords = {
  readonly close: string;
  readonly clear: string;
  readonly reset: string;
  readonly color: string;
  readonly suggestions: string;
  readonly earlier: string;
  readonly examples: string;
  readonly notANumber: string;
};

export const words = signal<WidgetWords>({
  close: "Close",
  clear: "Clear",
  reset: "Reset",
  color: "Color",
  suggestions: "Suggestions",
  earlier: "Used before",
  examples: "Examples",
  notANumber: "Not a number",
});
