// Draws percentiles over time: a line for each, and the areas between them, more opaque towards the median.

import { hairline } from "./draw_axes";
import { snap } from "./layout";
import { toPx } from "./scales";
import { isWithin, type Plan } from "./spread_plan";
import type { PercentileData, SpreadScene } from "./spread_types";
import type { Surface } from "./surface";

const OUTERMOST = 0.13;
const INNERMOST = 0.5;
const OUTSIDE = 0.7;

export function drawPercentiles(surface: Surface, scene: SpreadScene, plan: Plan, data: PercentileData): void {
  const pieces = piecesOf(plan, data);
  const middle = (data.lines - 1) / 2;
  surface.fillStyle = scene.color;
  surface.strokeStyle = scene.color;
  surface.lineJoin = "round";
  for (const piece of pieces) {
    for (let line = 0; line + 1 < data.lines; line++) {
      const inner = 1 - Math.abs(line + 0.5 - middle) / Math.max(middle, 1);
      surface.globalAlpha = OUTERMOST + (INNERMOST - OUTERMOST) * inner;
      area(surface, plan, data, piece, line);
    }
    for (let line = 0; line < data.lines; line++) {
      const central = line === middle;
      surface.globalAlpha = central ? 1 : 0.55;
      surface.lineWidth = central ? 1.75 : 0.75;
      stroke(surface, plan, data, piece, line);
    }
  }
  surface.globalAlpha = 1;
}

/** Returns runs of consecutive steps whose percentiles are all finite: nothing is drawn across the other steps. */
function piecesOf({ shown }: Plan, data: PercentileData): readonly (readonly number[])[] {
  const pieces: number[][] = [];
  let now: number[] = [];
  for (const at of shown) {
    const own = data.values.subarray(at * data.lines, (at + 1) * data.lines);
    if (own.every(Number.isFinite)) now.push(at);
    else if (now.length > 0) {
      pieces.push(now);
      now = [];
    }
  }
  if (now.length > 0) pieces.push(now);
  return pieces;
}

// width of a single step without neighbors
const ALONE_PX = 6;

function points(plan: Plan, data: PercentileData, piece: readonly number[], line: number): readonly [number, number][] {
  const points = piece.map((at): [number, number] => [
    toPx(plan.layout.x, plan.times[at] ?? 0),
    toPx(plan.layout.y, data.values[at * data.lines + line] ?? 0),
  ]);
  const [only] = points;
  if (only === undefined || points.length > 1) return points;
  return [
    [only[0] - ALONE_PX / 2, only[1]],
    [only[0] + ALONE_PX / 2, only[1]],
  ];
}

function area(surface: Surface, plan: Plan, data: PercentileData, piece: readonly number[], line: number): void {
  surface.beginPath();
  points(plan, data, piece, line).forEach(([x, y], i) => {
    if (i === 0) surface.moveTo(x, y);
    else surface.lineTo(x, y);
  });
  for (const [x, y] of [...points(plan, data, piece, line + 1)].reverse()) surface.lineTo(x, y);
  surface.closePath();
  surface.fill();
}

function stroke(surface: Surface, plan: Plan, data: PercentileData, piece: readonly number[], line: number): void {
  surface.beginPath();
  points(plan, data, piece, line).forEach(([x, y], i) => {
    if (i === 0) surface.moveTo(x, y);
    else surface.lineTo(x, y);
  });
  surface.stroke();
}

/**
 * Draws lines at the selected and the hovered step, with a dot on each percentile; the area outside a range is faded.
 */
export function drawMoments(surface: Surface, scene: SpreadScene, plan: Plan, data: PercentileData): void {
  greyOutside(surface, scene, plan);
  for (const [at, color] of [
    [scene.chosen, scene.colors.accent],
    [scene.pointed, scene.colors.quiet],
  ] as const) {
    const time = at === null ? undefined : plan.times[at];
    if (at === null || time === undefined || !plan.shown.includes(at)) continue;
    const { topPx, bottomPx } = plan.layout.plot;
    const thin = hairline(scene.ratio);
    const x = toPx(plan.layout.x, time);
    surface.fillStyle = color;
    surface.fillRect(snap(x - thin / 2, scene.ratio), topPx, thin, bottomPx - topPx);
    for (let line = 0; line < data.lines; line++) {
      const y = toPx(plan.layout.y, data.values[at * data.lines + line] ?? Number.NaN);
      if (Number.isNaN(y)) continue;
      surface.beginPath();
      surface.arc(x, y, 2.5, 0, 2 * Math.PI);
      surface.fillStyle = scene.color;
      surface.fill();
    }
  }
}

function greyOutside(surface: Surface, scene: SpreadScene, plan: Plan): void {
  const { within } = scene;
  if (within === null || plan.shown.every((at) => isWithin(within, plan.times[at] ?? 0))) return;
  const { leftPx, rightPx, topPx, bottomPx } = plan.layout.plot;
  const from = Math.max(leftPx, Math.min(rightPx, toPx(plan.layout.x, within.lo)));
  const to = Math.max(leftPx, Math.min(rightPx, toPx(plan.layout.x, within.hi)));
  surface.globalAlpha = OUTSIDE;
  surface.fillStyle = scene.colors.background;
  surface.fillRect(leftPx, topPx, from - leftPx, bottomPx - topPx);
  surface.fillRect(to, topPx, rightPx - to, bottomPx - topPx);
  surface.globalAlpha = 1;
}
