// Draws over the points: names of axes, images instead of points, and labels that fit without overlap.

import { projected, type Vector } from "./camera";
import type { Scene } from "./host_state";
import { AXES, nearTable, pointRadius } from "./painting";
import { backToFront, type Seen } from "./raster";

export type Labels = { readonly texts: Map<number, string> };

type Context = OffscreenCanvasRenderingContext2D;

const MOST_LABELS = 300;
/** Limit on labels of marked points. */
const MOST_MARKED = 60;
const LABEL_LETTERS = 40;
const MOVING_PICTURES = 2500;
const MOST_PICTURES = 30_000;

/** Returns the rows whose labels are needed but not known. */
export function drawOverlay(context: Context, scene: Scene, seen: Seen, labels: Labels): readonly number[] {
  const { lens } = scene;
  context.clearRect(0, 0, lens.width, lens.height);
  drawAxisNames(context, scene);
  if (scene.sprite !== null) drawPictures(context, scene, seen);
  return drawLabels(context, scene, seen, labels);
}

/** Draws names at the ends of the axes. */
function drawAxisNames(context: Context, scene: Scene): void {
  const { lens, look, ratio } = scene;
  context.fillStyle = look.quiet;
  context.font = scaledFont(look.font, ratio);
  context.textBaseline = "alphabetic";
  AXES.forEach(([x, y, z], axis) => {
    const name = look.axes[axis] ?? "";
    if (name === "" || (lens.flat && axis === 2)) return;
    const to = projected(lens, x, y, z);
    if (to === null) return;
    const width = context.measureText(name).width;
    const left = Math.min(lens.width - width - 4 * ratio, Math.max(4 * ratio, to[0] + 4 * ratio));
    context.fillText(name, left, Math.min(lens.height - 6 * ratio, Math.max(14 * ratio, to[1] - 4 * ratio)));
  });
}

function drawPictures(context: Context, scene: Scene, seen: Seen): void {
  const { sprite, lens, look, marks, colors, ratio } = scene;
  if (sprite === null) return;
  const { sheet, width, height } = sprite;
  const perRow = Math.max(1, Math.floor(sheet.width / width));
  const size = Math.min(48 * ratio, Math.max(8 * ratio, 5 * pointRadius(scene)));
  const tall = (size * height) / width;
  const sizes = nearTable(scene);
  const order = backToFront(seen, lens.flat);
  const most = scene.moving ? MOVING_PICTURES : MOST_PICTURES;
  const step = Math.max(1, Math.ceil(seen.count / most));
  const marked = marks.selected.length + marks.neighbors.length > 0;
  const set = marked ? new Set([...marks.selected.subarray(0, MOST_PICTURES), ...marks.neighbors]) : null;
  context.imageSmoothingEnabled = width > size;
  const put = (row: number, x: number, y: number, times: number): void => {
    const [w, h] = [size * times, tall * times];
    if (colors !== null) {
      context.fillStyle = cssOf(colors[row] ?? 0);
      context.fillRect(x - w / 2 - 1.5 * ratio, y - h / 2 - 1.5 * ratio, w + 3 * ratio, h + 3 * ratio);
    }
    const sx = (row % perRow) * width;
    const sy = Math.floor(row / perRow) * height;
    if (sy + height <= sheet.height) context.drawImage(sheet, sx, sy, width, height, x - w / 2, y - h / 2, w, h);
  };
  if (set !== null) context.globalAlpha = 0.18;
  for (let i = 0; i < seen.count; i += step) {
    const at = order[i] ?? 0;
    const row = seen.row[at] ?? 0;
    if (set?.has(row)) continue;
    put(row, seen.x[at] ?? 0, seen.y[at] ?? 0, sizes[seen.near[at] ?? 0] ?? 1);
  }
  context.globalAlpha = 1;
  const front = set === null ? [] : [...marks.neighbors].reverse().concat([...marks.selected.subarray(0, 2000)]);
  if (marks.hovered >= 0) front.push(marks.hovered);
  for (const row of front.slice(-2000)) {
    const place = placeOf(scene, row);
    if (place === null) continue;
    const special = row === marks.hovered || (marks.selected.length === 1 && marks.selected[0] === row);
    if (special) {
      context.fillStyle = look.accent;
      const [w, h] = [size * 1.5 + 6 * ratio, tall * 1.5 + 6 * ratio];
      context.fillRect(place[0] - w / 2, place[1] - h / 2, w, h);
    }
    put(row, place[0], place[1], special ? 1.5 : 1.1);
  }
}

function placeOf({ lens, cloud, shown }: Scene, row: number): Vector | null {
  if (shown !== null && shown[row] !== 1) return null;
  const at = 3 * row;
  const [x, y, z] = [cloud.positions[at], cloud.positions[at + 1], cloud.positions[at + 2]];
  if (x === undefined || Number.isNaN(x)) return null;
  return projected(lens, x, y ?? 0, z ?? 0);
}

type Labelled = { readonly row: number; readonly x: number; readonly y: number; readonly strong: boolean };

/** Returns the points to label by priority: marked points, then visible ones, nearest first. */
function labelledPoints(scene: Scene, seen: Seen): readonly Labelled[] {
  const { look, marks, lens } = scene;
  const points: Labelled[] = [];
  const marked = [...marks.selected.subarray(0, MOST_MARKED), ...marks.neighbors.subarray(0, MOST_MARKED)];
  marked.slice(0, MOST_MARKED).forEach((row, at) => {
    const place = placeOf(scene, row);
    const strong = at === 0 && marks.selected.length === 1;
    if (place !== null) points.push({ row, x: place[0], y: place[1], strong });
  });
  if (!look.labels) return points;
  const order = backToFront(seen, lens.flat);
  // more labels would not fit
  const most = Math.min(seen.count, scene.moving ? 600 : 4000);
  for (let i = 0; i < most; i++) {
    const at = order[seen.count - 1 - i] ?? 0;
    points.push({ row: seen.row[at] ?? 0, x: seen.x[at] ?? 0, y: seen.y[at] ?? 0, strong: false });
  }
  return points;
}

/** Returns rows whose labels are not known yet. */
function drawLabels(context: Context, scene: Scene, seen: Seen, { texts }: Labels): readonly number[] {
  const { look, marks, lens, ratio, colors } = scene;
  const font = scaledFont(look.font, ratio);
  const wanted: number[] = [];
  const taken = new Set<number>();
  const cellX = 18 * ratio;
  const cellY = 15 * ratio;
  let drawn = 0;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { row, x, y, strong } of labelledPoints(scene, seen)) {
    if (drawn >= MOST_LABELS) break;
    if (x < 0 || y < 0 || x > lens.width || y > lens.height) continue;
    const text = texts.get(row);
    if (text === undefined) {
      // reserve space for a short label, otherwise far more labels would be requested than drawn
      if (claim(taken, x, y, 4 * cellX, cellX, cellY)) wanted.push(row);
      continue;
    }
    if (text === "") continue;
    const short = text.length > LABEL_LETTERS ? `${text.slice(0, LABEL_LETTERS - 1)}…` : text;
    context.font = strong ? `600 ${font}` : font;
    const width = context.measureText(short).width;
    const left = look.labels && !strong ? x - width / 2 : x + 7 * ratio;
    if (!claim(taken, left, y, width, cellX, cellY) && !strong) continue;
    context.lineWidth = 3 * ratio;
    context.strokeStyle = look.background;
    context.strokeText(short, left, y);
    const own = look.labels && colors !== null && marks.selected.length === 0;
    context.fillStyle = own ? cssOf(colors[row] ?? 0) : look.text;
    context.fillText(short, left, y);
    drawn++;
  }
  return wanted;
}

/** Reserves space for a label; returns false if part of it is taken. */
function claim(taken: Set<number>, left: number, y: number, width: number, cellX: number, cellY: number): boolean {
  const line = Math.round(y / cellY);
  const from = Math.floor(left / cellX);
  const to = Math.floor((left + width) / cellX);
  const cells: number[] = [];
  for (let column = from; column <= to; column++) cells.push(line * 100_000 + column);
  if (cells.some((cell) => taken.has(cell))) return false;
  for (const cell of cells) taken.add(cell);
  return true;
}

function scaledFont(font: string, ratio: number): string {
  return font.replace(/^(\d+(?:\.\d+)?)px/, (_, px: string) => `${Number(px) * ratio}px`);
}

function cssOf(pixel: number): string {
  return `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
}
