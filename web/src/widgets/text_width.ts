// Widths of texts in pixels, added up from the widths of their letters. Measuring ten thousand texts one by one would
// take too long.

import { computed } from "@preact/signals";

const USUAL_LETTER_PX = 7;

/** Returns a function that adds up the widths of letters in a font. */
export function letterWidths(font: string): (text: string) => number {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) return (text) => text.length * USUAL_LETTER_PX;
  context.font = font;
  const known = new Map<string, number>();
  return (text) => {
    let sum = 0;
    for (const letter of text) {
      let px = known.get(letter);
      if (px === undefined) {
        px = context.measureText(letter).width;
        known.set(letter, px);
      }
      sum += px;
    }
    return sum;
  };
}

/** Width of a text in the font of the page. */
export const textPx = computed(() => letterWidths(getComputedStyle(document.body).font));
