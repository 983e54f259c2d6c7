// Colors of runs. A name always gets the same color, on every machine: its hash chooses a hue on the OKLCH wheel and a
// lightness that is readable on the theme. Also two palettes that are assigned by index, and contrast by WCAG's
// formula.

export type Theme = "light" | "dark";

/** FNV-1a over UTF-16 units: short code, and the same result on every machine. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  // after the last multiplication the low bits of similar names are still similar: mix them
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  return (value ^ (value >>> 12)) >>> 0;
}

/** Converts OKLCH to "#rrggbb"; chroma is reduced until the color exists in sRGB. */
export function oklch(lightness: number, chroma: number, hueDegrees: number): string {
  const hue = (hueDegrees * Math.PI) / 180;
  for (let c = chroma; ; c *= 0.9) {
    const rgb = toLinear(lightness, c * Math.cos(hue), c * Math.sin(hue));
    if (c < 0.01 || rgb.every((part) => part >= -0.0005 && part <= 1.0005)) return `#${rgb.map(toHex).join("")}`;
  }
}

function toLinear(lightness: number, a: number, b: number): readonly number[] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function toHex(linear: number): string {
  const clipped = Math.min(1, Math.max(0, linear));
  const encoded = clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, "0");
}

// 24 hues that the eye can distinguish, times three shades: 72 colors. Similar names get very different colors.
const HUES = 24;
const SHADES: Readonly<Record<Theme, readonly (readonly [lightness: number, chroma: number])[]>> = {
  light: [
    [0.56, 0.19],
    [0.64, 0.16],
    [0.44, 0.15],
  ],
  dark: [
    [0.74, 0.16],
    [0.64, 0.18],
    [0.84, 0.12],
  ],
};

export function colorOfName(name: string, theme: Theme): string {
  const slot = hash(name) % (HUES * 3);
  const [lightness, chroma] = SHADES[theme][Math.floor(slot / HUES)] ?? [0.6, 0.17];
  return oklch(lightness, chroma, (slot % HUES) * (360 / HUES) + 15);
}

/** Colors that can be distinguished with any kind of color vision (after Okabe and Ito), adapted to the theme. */
export const SAFE: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#0072b2", "#b35900", "#007a5a", "#b0598a", "#1b2430", "#2f8fc4", "#8a7a00", "#7a4fb0"],
  dark: ["#56b4e9", "#e69f00", "#2fc79a", "#e38fc0", "#f0f3f6", "#7fb8ff", "#f0e442", "#b995f0"],
};

export const TENSORBOARD: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#425066", "#12b5cb", "#e52592", "#f9ab00", "#9334e6", "#7cb342", "#e8710a"],
  dark: ["#8e98a3", "#12b5cb", "#e52592", "#f9ab00", "#9334e6", "#7cb342", "#e8710a"],
};

export const GREY: Readonly<Record<Theme, string>> = { light: "#8a929c", dark: "#7d8792" };

/**
 * Returns a color for a number from 0 to 1: from blue through green to yellow, getting lighter; readable on the theme.
 */
export function sequential(share: number, theme: Theme): string {
  const at = Math.min(1, Math.max(0, share));
  const [from, to] = theme === "light" ? [0.36, 0.66] : [0.58, 0.9];
  return oklch(from + (to - from) * at, 0.15, 290 - 200 * at);
}

/** Returns the contrast ratio of two colors by WCAG's formula, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
}
