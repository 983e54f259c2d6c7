// Blends colors.

import { parseHex } from "./colors";

/** `share` 0 is the first color, 1 the second. If a color is not #rrggbb or #rgb, the first one is returned. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [parseHex(whole(one)), parseHex(whole(other))];
  if (a === null || b === null) return one;
  const part = (shift: number): number =>
    Math.round(((a >>> shift) & 255) * (1 - share) + ((b >>> shift) & 255) * share);
  return `#${((1 << 24) | (part(0) << 16) | (part(8) << 8) | part(16)).toString(16).slice(1)}`;
}

/** Expands #fff to #ffffff: minified style sheets use the short form. */
function whole(color: string): string {
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replace(/[0-9a-f]/gi, "$&$&") : color;
}

/** Returns `count` colors from one to another. */
export function shades(one: string, other: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => mixed(one, other, count > 1 ? i / (count - 1) : 1));
}
