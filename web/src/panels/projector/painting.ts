// Draws a scene on the canvas of points: all points, then the marked ones above them and larger.

import { projected, type Vector } from "./camera";
import { radiusFor } from "./cloud";
import type { Scene } from "./host_state";
import type { Coloring } from "./messages";
import { backToFront, DEPTHS, look as lookAt, mixed, type Picture, pixelOf, putDisc, type Seen } from "./raster";

/** Positive ends of the axes; the negative ends are opposite. */
export const AXES: readonly Vector[] = [
  [1.05, 0, 0],
  [0, 1.05, 0],
  [0, 0, 1.05],
];

// share of the background color in the farthest points
export const HAZE = 0.55;
const CROWD = 20_000;
/** Largest size of points, relative to points at the center of the cloud. */
export const LARGEST = 3;

/** Blends a disc into the image; `opacity` up to 256. */
export type Put = (x: number, y: number, radius: number, color: number, opacity: number) => void;

/** Returns a pixel for each row; null if all are the same. */
export function paintOf(coloring: Coloring, rows: number, plain: string): Uint32Array | null {
  if (coloring.kind === "none") return null;
  const rest = pixelOf(plain);
  const palette = Uint32Array.from(coloring.palette, pixelOf);
  const colors = new Uint32Array(rows).fill(rest);
  if (palette.length === 0) return colors;
  if (coloring.kind === "codes") {
    const { codes } = coloring;
    for (let row = 0; row < Math.min(rows, codes.length); row++) {
      const code = codes[row] ?? -1;
      if (code >= 0) colors[row] = palette[code % palette.length] ?? rest;
    }
    return colors;
  }
  const { numbers, lo, hi } = coloring;
  const perStep = (palette.length - 1) / (hi > lo ? hi - lo : 1);
  for (let row = 0; row < Math.min(rows, numbers.length); row++) {
    const number = numbers[row] ?? Number.NaN;
    if (Number.isNaN(number)) continue;
    const at = Math.round((Math.min(hi, Math.max(lo, number)) - lo) * perStep);
    colors[row] = palette[at] ?? rest;
  }
  return colors;
}

/** Returns the radius of a point at the center of the cloud, in canvas pixels. */
export function pointRadius({ cloud, look, marks, ratio }: Scene): number {
  return radiusFor(marks.only?.length ?? cloud.rows) * look.pointSize * ratio;
}

/** Returns sizes relative to points at the center, indexed by depth level. */
export function nearTable(scene: Scene): Float32Array {
  const { eye, flat } = scene.lens;
  const table = new Float32Array(DEPTHS).fill(1);
  if (flat) return table;
  const lowest = Math.max(0.005, eye - 1.2);
  for (let near = 0; near < DEPTHS; near++) {
    const depth = lowest + ((DEPTHS - 1 - near) / (DEPTHS - 1)) * (eye + 1.2 - lowest);
    table[near] = Math.min(LARGEST, Math.max(0.6, eye / depth));
  }
  return table;
}

/** Returns true if some points are marked; the others are then faded. */
export function haloed({ selected, neighbors }: Scene["marks"]): boolean {
  return selected.length + neighbors.length > 0;
}

/** Returns the opacity of unmarked points: lower if there are more points. */
export function opacityOf({ cloud, marks }: Scene): number {
  if (haloed(marks)) return 120;
  return (marks.only?.length ?? cloud.rows) > CROWD ? 210 : 240;
}

let image: ImageData | null = null;

function pictureOf(width: number, height: number): { readonly image: ImageData; readonly picture: Picture } {
  if (image === null || image.width !== width || image.height !== height) image = new ImageData(width, height);
  return { image, picture: { width, height, pixels: new Uint32Array(image.data.buffer) } };
}

/** Returns how many points were drawn, without marks. Afterwards `seen` holds these points. */
export function drawPoints(context: OffscreenCanvasRenderingContext2D, scene: Scene, seen: Seen, step: number): number {
  const { lens, cloud, look, marks, colors } = scene;
  const { image: data, picture } = pictureOf(lens.width, lens.height);
  const background = pixelOf(look.background);
  picture.pixels.fill(background);
  const put: Put = (x, y, radius, color, opacity) => putDisc(picture, x, y, radius, color, opacity);
  drawAxes(put, scene);
  const marked = haloed(marks);
  lookAt(lens, cloud.positions, marks.only, step, null, seen);
  const sizes = nearTable(scene);
  const radius = pointRadius(scene);
  if (scene.sprite === null) {
    const order = backToFront(seen, lens.flat);
    const plain = pixelOf(look.plain);
    const faded = pixelOf(look.faded);
    const opacity = opacityOf(scene);
    const haze = new Float32Array(DEPTHS);
    if (!lens.flat) for (let near = 0; near < DEPTHS; near++) haze[near] = HAZE * (1 - near / (DEPTHS - 1));
    for (let i = 0; i < seen.count; i++) {
      const at = order[i] ?? 0;
      const near = seen.near[at] ?? 0;
      const color = marked ? faded : colors === null ? plain : (colors[seen.row[at] ?? 0] ?? plain);
      const share = haze[near] ?? 0;
      putDisc(
        picture,
        seen.x[at] ?? 0,
        seen.y[at] ?? 0,
        radius * (sizes[near] ?? 1),
        share > 0 ? hazed(color, background, share) : color,
        opacity,
      );
    }
  }
  drawMarks(put, scene, radius);
  context.putImageData(data, 0, 0);
  return seen.count;
}

export function drawAxes(put: Put, { lens, look, ratio }: Scene): void {
  const color = pixelOf(look.line);
  AXES.forEach(([x, y, z], axis) => {
    if (lens.flat && axis === 2) return;
    const [from, to] = [projected(lens, -x, -y, -z), projected(lens, x, y, z)];
    if (from === null || to === null) return;
    const length = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
    // the axis passes close to the camera, so most of it is outside of the image
    if (!(length < 20 * (lens.width + lens.height))) return;
    for (let i = 0; i <= length; i++) {
      const share = i / length;
      put(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, ratio / 2, color, 200);
    }
  });
}

/** A fast `mixed`, for millions of points. */
function hazed(color: number, background: number, share: number): number {
  const part = (share * 256) | 0;
  const rest = 256 - part;
  const r = ((color & 255) * rest + (background & 255) * part) >> 8;
  const g = (((color >> 8) & 255) * rest + ((background >> 8) & 255) * part) >> 8;
  const b = (((color >> 16) & 255) * rest + ((background >> 16) & 255) * part) >> 8;
  return 0xff000000 | (b << 16) | (g << 8) | r;
}

export function drawMarks(put: Put, scene: Scene, radius: number): void {
  const { look, marks, colors, cloud, ratio } = scene;
  const accent = pixelOf(look.accent);
  const rim = pixelOf(look.background);
  const least = scene.sprite === null ? Math.max(2.5 * ratio, radius * 1.25) : 2 * ratio;
  const mark = (row: number, color: number, r: number): void => {
    if (scene.shown !== null && scene.shown[row] !== 1) return;
    const at = 3 * row;
    const place = projected(
      scene.lens,
      cloud.positions[at] ?? Number.NaN,
      cloud.positions[at + 1] ?? Number.NaN,
      cloud.positions[at + 2] ?? Number.NaN,
    );
    if (place === null || !Number.isFinite(place[0]) || !inside(scene.lens, place[0], place[1])) return;
    put(place[0], place[1], r + 1 * ratio, rim, 220);
    put(place[0], place[1], r, color, 255);
  };
  const { neighbors, selected, hovered } = marks;
  for (let i = neighbors.length - 1; i >= 0; i--) {
    const row = neighbors[i] ?? 0;
    // nearer neighbors have stronger colors
    const own = colors === null ? accent : (colors[row] ?? accent);
    mark(row, mixed(own, rim, (0.45 * i) / Math.max(1, neighbors.length)), least);
  }
  const many = selected.length > CROWD;
  // during movement only some selected points are drawn
  const step = scene.moving ? Math.max(1, Math.ceil(selected.length / CROWD)) : 1;
  for (let i = 0; i < selected.length; i += step) {
    const row = selected[i] ?? 0;
    const own = colors === null ? accent : (colors[row] ?? accent);
    mark(row, own, selected.length === 1 ? least * 1.6 : many ? Math.max(radius, ratio) : least);
  }
  if (selected.length === 1 && selected[0] !== undefined) mark(selected[0], accent, least * 1.6);
  if (hovered >= 0 && hovered < cloud.rows) mark(hovered, pixelOf(look.text), least * 1.3);
}

function inside({ width, height }: Scene["lens"], x: number, y: number): boolean {
  return x > -20 && y > -20 && x < width + 20 && y < height + 20;
}
