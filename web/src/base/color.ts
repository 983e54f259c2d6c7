// Colors of runs: the table of vivid colors, two palettes that are assigned by index, and contrast by WCAG's formula.

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

/**
 * Colors of runs by slot, in rings of 12: the first ring is chosen by hand, each further color is far from all before
 * it. The server has the same table (src/lightboard/colors.py) and gives out the slots; a test compares the tables.
 */
export const RUN_COLORS: Readonly<Record<Theme, readonly string[]>> = {
  light: [
    ..."036ae4 ec6b05 078539 da081a 7f30e7 00a0d3 f82597 068e89 57a609 1c3aa1 93158e 005a32".split(" "),
    ..."c94ff8 005476 6a02a8 9e4ebe 3d7daf fb0756 c116bb a90263 03a26b 504cfb 047286 5d7bfe".split(" "),
    ..."a21cce 056e5b 4e01c9 c86f00 cb0952 8605bf dc30c3 0153a4 7061d9 00721c 40895d 019b29".split(" "),
    ..."4335e6 af008c 79028e 4a9b81 e50a7a d84a00 6704ca bd33da c43202 0571c2 008fad 44954a".split(" "),
  ].map((digits) => `#${digits}`),
  dark: [
    ..."409efe fe973b 2ecc4e fc4447 a779fd 5eddfe fe7fc0 11c5b4 a8ee0b 476cfd d946e4 0da05c".split(" "),
    ..."ebbffe 088bc0 a347ef d199ea 80b9ea feafb4 fe73f5 fa389b 19eb9d 8fa0ff 02b1ce b3c6fe".split(" "),
    ..."d779ff 00ad90 795ffe feb67a fe7690 c05aff fea5eb 1588ff acabe9 05b331 62cc8c 27e249".split(" "),
    ..."7786ff f84ecc bb3ad6 6ee0bc ff9aba fea282 9862ff eb98fe ff7c5c 5cadfe 05d2fd 6cd973".split(" "),
  ].map((digits) => `#${digits}`),
};

export function colorOfSlot(slot: number, theme: Theme): string {
  const colors = RUN_COLORS[theme];
  return colors[slot % colors.length] ?? GREY[theme];
}

/** Returns a color for a name that is not a run, such as a class of objects in pictures: always the same. */
export function colorOfName(name: string, theme: Theme): string {
  return colorOfSlot(hash(name), theme);
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
