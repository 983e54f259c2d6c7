// Colors of the drawing in both themes, and which color a box has.

import { oklch, type Theme } from "../../base/color";
import type { ChartColors } from "../../chart/types";
import type { GRAPHS_COLORS } from "../../state/members/graphs";
import type { Mixes, Paint } from "./model/paint";
import { FITS } from "./model/tpu";

export type ColorBy = (typeof GRAPHS_COLORS)[number];

export type Palette = {
  readonly background: string;
  readonly card: string;
  readonly text: string;
  readonly quiet: string;
  readonly border: string;
  readonly line: string;
  readonly accent: string;
  /** Background of open groups, by depth. */
  readonly inside: readonly string[];
  readonly plain: string;
  readonly input: string;
  readonly output: string;
  readonly reference: string;
  readonly kinds: readonly string[];
};

export function paletteOf(theme: Theme, colors: ChartColors): Palette {
  const dark = theme === "dark";
  return {
    background: dark ? "#10161d" : "#fafbfc",
    card: colors.background,
    text: colors.text,
    quiet: colors.quiet,
    border: dark ? "#5b6877" : "#a3adb9",
    line: dark ? "#66727f" : "#98a3b0",
    accent: colors.accent,
    inside: dark ? ["#171e27", "#1c2530", "#222c38", "#283340"] : ["#f1f4f7", "#e9edf2", "#e2e7ed", "#dbe1e8"],
    plain: dark ? "#2c3641" : "#e9edf1",
    input: dark ? "#63a9ff" : "#1a62d6",
    output: dark ? "#ffb454" : "#c25700",
    reference: dark ? "#d08bff" : "#8b3fc0",
    // op, constant, variable, input, summary, call
    kinds: dark
      ? ["", "#9ca8b7", "#52c873", "#63a9ff", "#eaae4f", "#c99bff"]
      : ["", "#7b8794", "#2a8a48", "#1a62d6", "#b57300", "#8b3fc0"],
  };
}

// golden angle in degrees: consecutive hues are far apart
const STEP = 137.508;

export function structureColor(number: number, theme: Theme): string {
  const hue = (30 + number * STEP) % 360;
  return theme === "dark" ? oklch(0.38, 0.07, hue) : oklch(0.91, 0.065, hue);
}

/** Color of a device or cluster; stronger than others, because there are few. */
export function codeColor(code: number, theme: Theme): string {
  const hue = (250 + code * STEP) % 360;
  return theme === "dark" ? oklch(0.42, 0.09, hue) : oklch(0.86, 0.09, hue);
}

/** Pale if a TPU can run it, strong if not; also distinguishable for users with red-green color blindness. */
export function tpuColor(code: number, theme: Theme): string {
  if (code === FITS) return theme === "dark" ? oklch(0.36, 0.06, 165) : oklch(0.93, 0.06, 165);
  return theme === "dark" ? oklch(0.52, 0.16, 30) : oklch(0.76, 0.14, 35);
}

/** Color for a share of the largest visible value. */
export function heatColor(share: number, theme: Theme): string {
  const s = Math.min(1, Math.max(0, share));
  return theme === "dark" ? oklch(0.28 + 0.3 * s, 0.02 + 0.13 * s, 50) : oklch(0.97 - 0.25 * s, 0.02 + 0.15 * s, 60);
}

/** One color, or several with their shares. */
export type Fill = string | readonly { readonly color: string; readonly share: number }[];

export type Filler = (box: number) => Fill;

export function fillerOf(
  by: ColorBy,
  paint: Paint,
  theme: Theme,
  palette: Palette,
  isLeaf: (box: number) => boolean,
  isClosed: (box: number) => boolean,
): Filler {
  const neutral = (box: number): string => (isLeaf(box) ? palette.card : palette.plain);
  if (by === "structure") {
    return (box) => {
      const number = paint.structure[box] ?? -1;
      return number < 0 ? neutral(box) : structureColor(number, theme);
    };
  }
  if (by === "device" || by === "cluster" || by === "tpu") {
    const colorOf = by === "tpu" ? tpuColor : codeColor;
    return (box) => mixed(paint[by], box, (code) => colorOf(code, theme), neutral(box));
  }
  if (by === "time" || by === "memory") {
    const values = by === "time" ? paint.micros : paint.bytes;
    const most = mostOf(values, isClosed);
    return (box) => {
      const value = values[box] ?? Number.NaN;
      return Number.isNaN(value) ? neutral(box) : heatColor(value / most, theme);
    };
  }
  return neutral;
}

/** Returns the largest value of closed boxes; open groups are skipped, because they have the sums of their contents. */
export function mostOf(values: Float64Array, counts: (box: number) => boolean): number {
  let most = 0;
  values.forEach((value, box) => {
    if (value > most && counts(box)) most = value;
  });
  if (most === 0) for (const value of values) if (value > most) most = value;
  return most || 1;
}

function mixed(mixes: Mixes | null, box: number, colorOf: (code: number) => string, neutral: string): Fill {
  if (mixes === null) return neutral;
  const mix = mixes.mix.subarray(mixes.at[box], mixes.at[box + 1]);
  const shares: { color: string; share: number }[] = [];
  for (let i = 0; i < mix.length; i += 2) {
    const code = mix[i] ?? -1;
    shares.push({ color: code < 0 ? neutral : colorOf(code), share: mix[i + 1] ?? 0 });
  }
  const [only] = shares;
  return shares.length === 1 && only !== undefined ? only.color : shares;
}
