// Draws histograms over time: ridges one behind the other, overlaid lines, or a heat map.

import { snap } from "./layout";
import { toPx } from "./scales";
import { mixed, shades } from "./shades";
import { type Bars, columnEdges, isWithin, levelOf, type Plan } from "./spread_plan";
import type { SpreadScene } from "./spread_types";
import type { Surface } from "./surface";

// share of the card's color in the oldest ridge or line: newer ones are stronger
const OLDEST = 0.62;
const OUTSIDE = 0.18;

export function drawHistograms(surface: Surface, scene: SpreadScene, plan: Plan): void {
  if (plan.bars === null) return;
  if (scene.look === "heat") {
    drawHeat(surface, scene, plan, plan.bars);
    return;
  }
  const { shown } = plan;
  const { background } = scene.colors;
  const rimPx = rimOf(plan);
  shown.forEach((_, row) => {
    const age = shown.length > 1 ? 1 - row / (shown.length - 1) : 0;
    // blended with the background, not transparent: overlapping pale ridges would add up to a strong color; inside a
    // marked range all are as strong as the newest
    const fade = scene.within === null ? OLDEST * age : 0;
    const fill = mixed(background, scene.color, (1 - fade) * strength(scene, plan, row));
    const ridge = scene.look === "offset";
    drawOne(surface, scene, plan, row, {
      fill,
      line: ridge ? background : fill,
      widthPx: ridge ? rimPx : 1.25,
    });
  });
}

/** Draws the selected and the hovered histogram over the others. */
export function drawStandingOut(surface: Surface, scene: SpreadScene, plan: Plan): void {
  if (plan.bars === null) return;
  for (const [at, color] of [
    [scene.chosen, scene.colors.accent],
    [scene.pointed, scene.colors.text],
  ] as const) {
    const row = at === null ? -1 : plan.shown.indexOf(at);
    if (row < 0) continue;
    if (scene.look === "heat") outlineColumn(surface, scene, plan, row, color);
    else drawOne(surface, scene, plan, row, { fill: scene.color, line: color, widthPx: 1.75 });
  }
}

function strength(scene: SpreadScene, { times, shown }: Plan, row: number): number {
  const time = times[shown[row] ?? -1] ?? 0;
  return scene.within === null || isWithin(scene.within, time) ? 1 : OUTSIDE;
}

// ---- ridges and lines

/** Returns the width of the outline that separates ridges: thinner if they are close together. */
function rimOf({ layout, shown }: Plan): number {
  const apartPx = Math.abs(layout.y.toPx - layout.y.fromPx) / Math.max(1, shown.length - 1);
  return Math.min(1, Math.max(0.4, apartPx / 3));
}

type Ink = { readonly fill: string; readonly line: string; readonly widthPx: number };

function drawOne(surface: Surface, scene: SpreadScene, plan: Plan, row: number, ink: Ink): void {
  const ridge = scene.look === "offset";
  const basePx = ridge ? toPx(plan.layout.y, plan.times[plan.shown[row] ?? -1] ?? 0) : plan.layout.plot.bottomPx;
  surface.beginPath();
  outline(surface, scene, plan, row, basePx);
  if (ridge) {
    surface.fillStyle = ink.fill;
    surface.fill();
  }
  surface.strokeStyle = ink.line;
  surface.lineWidth = ink.widthPx;
  surface.lineJoin = "round";
  surface.stroke();
}

/** Traces from the first to the last bar with a count. */
function outline(surface: Surface, scene: SpreadScene, plan: Plan, row: number, basePx: number): void {
  const bars = plan.bars as Bars;
  const { x } = plan.layout;
  let start = bars.first[row] ?? 0;
  let end = bars.first[row + 1] ?? 0;
  while (start < end && !((bars.counts[start] ?? 0) > 0)) start++;
  while (end > start && !((bars.counts[end - 1] ?? 0) > 0)) end--;
  if (start === end) return;
  const middle = (i: number): number => toPx(x, ((bars.lefts[i] ?? 0) + (bars.rights[i] ?? 0)) / 2);
  const width = (i: number): number => Math.max(1, toPx(x, bars.rights[i] ?? 0) - toPx(x, bars.lefts[i] ?? 0));
  if (scene.bins === "even") {
    surface.moveTo(middle(start) - width(start), basePx);
    for (let i = start; i < end; i++) {
      surface.lineTo(middle(i), topOf(scene, plan, bars.counts[i] ?? 0, basePx));
    }
    surface.lineTo(middle(end - 1) + width(end - 1), basePx);
    return;
  }
  let lastPx = Number.NEGATIVE_INFINITY;
  for (let i = start; i < end; i++) {
    const left = toPx(x, bars.lefts[i] ?? 0);
    const topPx = topOf(scene, plan, bars.counts[i] ?? 0, basePx);
    if (i === start) surface.moveTo(left, basePx);
    else if (left > lastPx + 0.01) {
      surface.lineTo(lastPx, basePx);
      surface.lineTo(left, basePx);
    }
    // a bucket of a single value stays visible
    lastPx = left + width(i);
    surface.lineTo(left, topPx);
    surface.lineTo(lastPx, topPx);
  }
  surface.lineTo(lastPx, basePx);
}

/** Returns the y of the upper end of a bar. */
export function topOf(scene: SpreadScene, plan: Plan, count: number, basePx: number): number {
  const { plot, y } = plan.layout;
  if (scene.look === "overlay") return toPx(y, count);
  const highPx = plan.axes.rise * (plot.bottomPx - plot.topPx);
  return basePx - levelOf(count, plan.bars?.most ?? 0, scene.logCounts) * highPx;
}

// ---- heat map

const SHADES = 48;

function drawHeat(surface: Surface, scene: SpreadScene, plan: Plan, bars: Bars): void {
  const { layout, shown, times } = plan;
  const { background, text } = scene.colors;
  // from the card's color to the run's color and on to the text color, so that high counts differ visibly, too
  const colors = [
    ...shades(mixed(background, scene.color, 0.08), scene.color, (SHADES * 2) / 3),
    ...shades(scene.color, mixed(scene.color, text, 0.75), SHADES / 3 + 1).slice(1),
  ];
  const edges = columnEdges(times, shown).map((edge) => snap(toPx(layout.x, edge), scene.ratio));
  const tallPx = Math.round(layout.plot.bottomPx - layout.plot.topPx);
  shown.forEach((_, row) => {
    const left = Math.max(layout.plot.leftPx, edges[row] ?? 0);
    const width = Math.min(layout.plot.rightPx, edges[row + 1] ?? 0) - left;
    if (!(width > 0)) return;
    surface.globalAlpha = strength(scene, plan, row);
    const levels = columnLevels(scene, plan, bars, row, tallPx);
    let from = 0;
    for (let px = 1; px <= tallPx; px++) {
      const level = levels[from] ?? 0;
      if (px < tallPx && levels[px] === level) continue;
      if (level > 0) {
        surface.fillStyle = colors[level - 1] ?? scene.color;
        surface.fillRect(left, layout.plot.topPx + from, width, px - from);
      }
      from = px;
    }
  });
  surface.globalAlpha = 1;
}

/** Returns the index of the shade for each row of pixels, from the top; 0 if the count is 0. The highest count wins. */
function columnLevels(scene: SpreadScene, plan: Plan, bars: Bars, row: number, tallPx: number): Uint8Array {
  const levels = new Uint8Array(tallPx);
  const { y, plot } = plan.layout;
  for (let i = bars.first[row] ?? 0; i < (bars.first[row + 1] ?? 0); i++) {
    const share = levelOf(bars.counts[i] ?? 0, bars.most, scene.logCounts);
    if (share === 0) continue;
    const level = 1 + Math.min(SHADES - 1, Math.floor(share * SHADES));
    const top = Math.round(toPx(y, bars.rights[i] ?? 0) - plot.topPx);
    const bottom = Math.max(top + 1, Math.round(toPx(y, bars.lefts[i] ?? 0) - plot.topPx));
    for (let px = Math.max(0, top); px < Math.min(tallPx, bottom); px++) {
      if (level > (levels[px] ?? 0)) levels[px] = level;
    }
  }
  return levels;
}

function outlineColumn(surface: Surface, scene: SpreadScene, plan: Plan, row: number, color: string): void {
  const edges = columnEdges(plan.times, plan.shown);
  const { topPx, bottomPx } = plan.layout.plot;
  const left = snap(toPx(plan.layout.x, edges[row] ?? 0), scene.ratio);
  const right = snap(toPx(plan.layout.x, edges[row + 1] ?? 0), scene.ratio);
  surface.beginPath();
  surface.rect(left - 0.5, topPx - 1, Math.max(2, right - left + 1), bottomPx - topPx + 2);
  surface.strokeStyle = color;
  surface.lineWidth = 1.25;
  surface.stroke();
}
