// Colors of a heat map: from dark to bright if all numbers have one sign, else from blue over gray to red around zero.

export type Range = { readonly lo: number; readonly hi: number };

type Rgb = readonly [number, number, number];

// perceptually uniform, and readable for color-blind users
const RISING: readonly Rgb[] = [
  [68, 1, 84],
  [65, 68, 135],
  [42, 120, 142],
  [34, 168, 132],
  [122, 209, 81],
  [253, 231, 37],
];
const AROUND: readonly Rgb[] = [
  [33, 84, 178],
  [124, 164, 226],
  [226, 227, 230],
  [232, 149, 120],
  [178, 34, 52],
];
const NOT_FINITE: Rgb = [214, 60, 200];

/** If numbers have both signs, the range is symmetric around zero. */
export function rangeAround(lo: number, hi: number): Range {
  if (lo < 0 && hi > 0) {
    const far = Math.max(-lo, hi);
    return { lo: -far, hi: far };
  }
  return { lo, hi };
}

export function isAround({ lo, hi }: Range): boolean {
  return lo < 0 && hi > 0;
}

export function shadeOf(value: number, range: Range): Rgb {
  if (!Number.isFinite(value)) return NOT_FINITE;
  const { lo, hi } = range;
  const share = hi > lo ? Math.min(1, Math.max(0, (value - lo) / (hi - lo))) : 0.5;
  const colors = isAround(range) ? AROUND : RISING;
  const at = share * (colors.length - 1);
  const from = Math.min(colors.length - 2, Math.floor(at));
  const [a, b] = [colors[from] ?? NOT_FINITE, colors[from + 1] ?? NOT_FINITE];
  const part = at - from;
  const mix = (k: 0 | 1 | 2): number => Math.round(a[k] + (b[k] - a[k]) * part);
  return [mix(0), mix(1), mix(2)];
}

/** Returns the smallest and the largest finite number; null if there is none. */
export function extentOf(cells: Float32Array): Range | null {
  let [lo, hi] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of cells) {
    if (!Number.isFinite(value)) continue;
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return lo <= hi ? { lo, hi } : null;
}

/** CSS gradient for a legend, from left to right. */
export function gradientOf(range: Range): string {
  const colors = isAround(range) ? AROUND : RISING;
  return `linear-gradient(to right, ${colors.map((color) => `rgb(${color.join(" ")})`).join(", ")})`;
}
