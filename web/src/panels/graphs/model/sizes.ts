// Sizes of boxes from their texts. Computed by a formula, not measured by the browser, so that they are the same in the
// worker, in tests and on every machine.

import { type Hierarchy, LEAF } from "./hierarchy";

export const LABEL_PX = 12;
export const NOTE_PX = 10;
export const HEADER = 28;
export const PADDING = 16;
export const DOT_ROOM = 16;

const MOST_LETTERS = 30;
const LEAST_WIDTH = 56;

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** Shortens a long name in the middle, because both ends are informative. */
export function shortened(text: string, most = MOST_LETTERS): string {
  const letters = [...text.replace(/\p{Cc}/gu, " ")];
  if (letters.length <= most) return letters.join("");
  const head = Math.ceil((most - 1) * 0.6);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (most - 1 - head)).join("")}`;
}

/** Estimates the width of a text in the widest of the common fonts. */
export function textWidth(text: string, sizePx: number, bold = false): number {
  let units = 0;
  for (const letter of text)
    units += WIDE.test(letter)
      ? 1
      : /[A-Z@%mwMW×…]/.test(letter)
        ? 0.74
        : /[iljtf.,:|/ ()[\]]/.test(letter)
          ? 0.38
          : 0.61;
  return units * sizePx * (bold ? 1.1 : 1);
}

export type Words = { readonly label: string; readonly note: string };

/** Returns the texts of a box. The second line is the operation of a node, or the number of nodes in a namespace. */
export function wordsOf(hierarchy: Hierarchy, item: number): Words {
  const { columns, label, type, low, high } = hierarchy;
  const name = shortened(label[item] ?? "");
  if (type[item] !== LEAF) return { label: name, note: String((high[item] ?? 0) - (low[item] ?? 0)) };
  const op = shortened(columns.ops[columns.op[item] ?? -1] ?? "");
  return { label: name, note: op };
}

export type Size = { readonly width: number; readonly height: number };

export function closedSize(hierarchy: Hierarchy, item: number, words: Words, hasDots: boolean): Size {
  const leaf = hierarchy.type[item] === LEAF;
  const text = Math.max(textWidth(words.label, LABEL_PX, !leaf), textWidth(words.note, NOTE_PX), leaf ? 0 : 52);
  const width = Math.max(LEAST_WIDTH, Math.ceil(text) + (leaf ? 22 : 46));
  return { width: width + (hasDots ? DOT_ROOM : 0), height: leaf ? 34 : 40 };
}
