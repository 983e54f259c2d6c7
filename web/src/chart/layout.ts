// The position of the plot within its card. Page and worker compute it from the scene alone with the same result,
// because gestures and drawing must agree on every pixel. Text is not measured, because fonts differ between the two.

import { type Scale, scaleOf } from "./scales";
import { type Surface, within } from "./surface";
import { type Tick, ticksOf } from "./ticks";
import type { Scene } from "./types";

export type Box = {
  readonly leftPx: number;
  readonly topPx: number;
  readonly rightPx: number;
  readonly bottomPx: number;
};

export type Layout = {
  readonly plot: Box;
  readonly x: Scale;
  readonly y: Scale;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly fontPx: number;
};

export type Framed = Pick<Scene, "widthPx" | "heightPx" | "ratio" | "x" | "y" | "font" | "locale">;

const LABEL_GAP_PX = 6;
const Y_TICK_EVERY_PX = 44;
// a digit of a sans-serif font is 0.55 to 0.6 of the font size wide; Han characters are as wide as high
const DIGIT_EM = 0.6;
const MARGIN_STEP_PX = 8;

export function layoutOf(scene: Framed): Layout {
  const fontPx = fontSize(scene.font);
  const wall = scene.x.format === "wall";
  const topPx = snap(Math.ceil(fontPx / 2) + 2, scene.ratio);
  const axisPx = Math.ceil(fontPx * (wall ? 2.4 : 1.2)) + LABEL_GAP_PX + 2;
  const bottomPx = snap(Math.max(topPx + 1, scene.heightPx - axisPx), scene.ratio);
  const yTicks = ticksOf(scene.y, Math.max(2, Math.round((bottomPx - topPx) / Y_TICK_EVERY_PX)), scene.locale);
  const widest = Math.max(...yTicks.map((tick) => textWidth(tick.label, fontPx)), 0);
  // rounded to steps, so that the plot does not jitter while labels change
  const marginPx = Math.ceil((widest + LABEL_GAP_PX + 4) / MARGIN_STEP_PX) * MARGIN_STEP_PX;
  const leftPx = snap(Math.min(Math.max(40, marginPx), scene.widthPx / 2), scene.ratio);
  const rightPx = snap(Math.max(leftPx + 1, scene.widthPx - 12), scene.ratio);
  const xTicks = xTicksOf(scene, rightPx - leftPx, fontPx);
  return {
    plot: { leftPx, topPx, rightPx, bottomPx },
    x: scaleOf(scene.x, leftPx, rightPx),
    y: scaleOf(scene.y, bottomPx, topPx),
    xTicks,
    yTicks,
    fontPx,
  };
}

/** Returns as many ticks as there is space for their labels. */
function xTicksOf(scene: Framed, widthPx: number, fontPx: number): readonly Tick[] {
  for (let count = Math.max(2, Math.round(widthPx / 64)); count > 2; count = Math.floor(count * 0.7)) {
    const ticks = ticksOf(scene.x, count, scene.locale);
    const widest = Math.max(...ticks.map((tick) => textWidth(tick.label, fontPx)), 0);
    if (ticks.length * (widest + 14) <= widthPx) return ticks;
  }
  return ticksOf(scene.x, 2, scene.locale);
}

export function fontSize(font: string): number {
  return Number(/([\d.]+)px/.exec(font)?.[1] ?? 11);
}

export function textWidth(text: string, fontPx: number): number {
  let ems = 0;
  for (const character of text) ems += (character.codePointAt(0) ?? 0) >= 0x2e80 ? 1 : DIGIT_EM;
  return ems * fontPx;
}

/** Returns the nearest device pixel edge, in CSS pixels. */
export function snap(px: number, ratio: number): number {
  return Math.round(px * ratio) / ratio;
}

/** Calls `draw` with everything outside the plot clipped. */
export function inPlot(surface: Surface, { plot }: Layout, draw: () => void): void {
  within(surface, () => {
    surface.beginPath();
    surface.rect(plot.leftPx, plot.topPx, plot.rightPx - plot.leftPx, plot.bottomPx - plot.topPx);
    surface.clip();
    draw();
  });
}
