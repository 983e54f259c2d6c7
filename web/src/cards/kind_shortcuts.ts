// Keyboard shortcuts of the card under the pointer (images, audio, films), listed for the help sheet. The handlers are
// in films_of_cards.ts and the panels, which are loaded only with those cards.

import type { Texts } from "../state/texts";

type KindShortcut = {
  readonly keys: readonly string[];
  readonly label: (words: Texts["cards"]["shortcuts"]) => string;
};

export const KIND_SHORTCUTS: readonly KindShortcut[] = [
  { keys: ["k"], label: (words) => words.play },
  { keys: [","], label: (words) => words.previousFrame },
  { keys: ["."], label: (words) => words.nextFrame },
  { keys: ["b"], label: (words) => words.turn },
];
