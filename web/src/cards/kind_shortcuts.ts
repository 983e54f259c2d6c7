// Keys that cards of images, sounds and films hear while the pointer is over them, for the help sheet. They are bound
// where those cards are (films_of_cards.ts and the panels), and fetched with them.

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
