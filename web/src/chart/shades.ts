// Colours between two others.

import { parseHex } from "./colors";

/** `share` 0 is the first colour, 1 the second. Colours that are not #rrggbb stay as the first one is. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [parseHex(one), parseHex(other)];
  if (a === null || b === null) return one;
  const part = (shift: number): number =>
    Math.round(((a >>> shift) & 255) * (1 - share) + ((b >>> shift) & 255) * share);
  return `#${((1 << 24) | (part(0) << 16) | (part(8) << 8) | part(16)).toString(16).slice(1)}`;
}

/** So many colours from one to another. */
export function shades(one: string, other: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => mixed(one, other, count > 1 ? i / (count - 1) : 1));
}
