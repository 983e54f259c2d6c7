// Colors of points: distinct hues for categories, a scale for numbers; both readable in the light and dark theme.

import { oklch, sequential, type Theme } from "../../base/color";

/** Users cannot distinguish more categories by color; TensorBoard has the same limit. */
export const MOST_CATEGORIES = 50;
const STEPS = 64;

/** Returns one color for each of `count` categories: ten distinct hues first, then lighter and darker ones. */
export function categoryColors(count: number, theme: Theme): readonly string[] {
  const levels: readonly (readonly [number, number])[] =
    theme === "light"
      ? [
          [0.6, 0.19],
          [0.72, 0.15],
          [0.46, 0.15],
          [0.66, 0.09],
          [0.38, 0.09],
        ]
      : [
          [0.72, 0.17],
          [0.84, 0.12],
          [0.6, 0.17],
          [0.78, 0.08],
          [0.52, 0.12],
        ];
  const hues = Math.max(1, Math.min(10, count));
  return Array.from({ length: count }, (_, at) => {
    const [lightness, chroma] = levels[Math.floor(at / 10) % levels.length] ?? [0.6, 0.16];
    // consecutive colors are far apart on the color wheel
    const hue = ((at % 10) * (hues === 10 ? 3 : 1)) % hues;
    return oklch(lightness, chroma, 25 + (360 * hue) / hues + 12 * Math.floor(at / 10));
  });
}

export function scaleColors(theme: Theme): readonly string[] {
  return Array.from({ length: STEPS }, (_, at) => sequential(at / (STEPS - 1), theme));
}
