// Draws points on the CPU, far ones first, each as an antialiased disc. Fast enough for a million points at rest; while
// the camera moves, only every nth point is drawn.

import type { Lens } from "./camera";

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
};

/** Pixels and depth of points; only the first `count` entries are valid. */
export type Seen = {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Point index. */
  readonly row: Uint32Array;
  /** 0: farthest, DEPTHS - 1: nearest. */
  readonly near: Uint16Array;
  count: number;
};

export const DEPTHS = 1024;
/** Points nearer to the eye than this are clipped. */
export const NEAREST = 0.005;
/** Discs of points up to this far outside of the image may reach into it. */
export const MARGIN_PX = 24;

export function makeSeen(most: number): Seen {
  return {
    x: new Float32Array(most),
    y: new Float32Array(most),
    row: new Uint32Array(most),
    near: new Uint16Array(most),
    count: 0,
  };
}

/** Writes the visible points into `seen`: all of `only`, or every `step`-th of all. */
export function look(
  lens: Lens,
  positions: Float32Array,
  only: Uint32Array | null,
  step: number,
  hidden: Uint8Array | null,
  seen: Seen,
): void {
  const { width, height, eye, focalPx, flat } = lens;
  const [rx, ry, rz] = lens.basis.right;
  const [ux, uy, uz] = lens.basis.up;
  const [bx, by, bz] = lens.basis.back;
  const [tx, ty, tz] = lens.target;
  const total = only === null ? positions.length / 3 : only.length;
  const lowest = Math.max(NEAREST, eye - 1.2);
  const perDepth = (DEPTHS - 1) / Math.max(1e-6, eye + 1.2 - lowest);
  let count = 0;
  for (let i = 0; i < total; i += step) {
    const row = only === null ? i : (only[i] ?? 0);
    if (hidden !== null && hidden[row] === 1) continue;
    const at = 3 * row;
    const a = (positions[at] ?? 0) - tx;
    const b = (positions[at + 1] ?? 0) - ty;
    const c = (positions[at + 2] ?? 0) - tz;
    const depth = flat ? 1 : eye - (a * bx + b * by + c * bz);
    if (depth < NEAREST) continue;
    const scale = focalPx / depth;
    const x = width / 2 + (a * rx + b * ry + c * rz) * scale;
    const y = height / 2 - (a * ux + b * uy + c * uz) * scale;
    // also false for NaN: points without a position are skipped
    if (!(x > -MARGIN_PX && y > -MARGIN_PX && x < width + MARGIN_PX && y < height + MARGIN_PX)) continue;
    seen.x[count] = x;
    seen.y[count] = y;
    seen.row[count] = row;
    const far = flat ? 0 : Math.floor((depth - lowest) * perDepth);
    seen.near[count] = far < 0 ? DEPTHS - 1 : far >= DEPTHS ? 0 : DEPTHS - 1 - far;
    count++;
  }
  seen.count = count;
}

let order = new Uint32Array(0);

/** Returns indices into `seen`, farthest first. The result is valid until the next call. */
export function backToFront(seen: Seen, flat: boolean): Uint32Array {
  const { count, near } = seen;
  if (order.length < count) order = new Uint32Array(count);
  if (flat) {
    for (let i = 0; i < count; i++) order[i] = i;
    return order;
  }
  const starts = new Uint32Array(DEPTHS + 1);
  for (let i = 0; i < count; i++) starts[(near[i] ?? 0) + 1] = (starts[(near[i] ?? 0) + 1] ?? 0) + 1;
  for (let depth = 0; depth < DEPTHS; depth++) starts[depth + 1] = (starts[depth + 1] ?? 0) + (starts[depth] ?? 0);
  for (let i = 0; i < count; i++) {
    const depth = near[i] ?? 0;
    const at = starts[depth] ?? 0;
    starts[depth] = at + 1;
    order[at] = i;
  }
  return order;
}

// ---- discs

const PHASES = 4;
type Disc = { readonly side: number; readonly cover: Uint8Array };
/** Cache by radius in eighths of a pixel, then by subpixel center: an image needs a million discs. */
const discs: Disc[][] = [];

/** Coverage of each pixel by a disc (0 … 255), for a subpixel center. */
function discOf(radius: number, phaseX: number, phaseY: number): Disc {
  const size = Math.round(radius * 8);
  const place = phaseX * PHASES + phaseY;
  return discs[size]?.[place] ?? makeDisc(size, place, phaseX, phaseY);
}

function makeDisc(size: number, place: number, phaseX: number, phaseY: number): Disc {
  const r = size / 8;
  const before = Math.ceil(r + 0.5);
  const side = 2 * before + 2;
  const cover = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = x - before - phaseX / PHASES;
      const dy = y - before - phaseY / PHASES;
      const part = Math.min(1, Math.max(0, r + 0.5 - Math.hypot(dx, dy)));
      // a disc smaller than a pixel is a faint pixel
      cover[y * side + x] = Math.round(255 * part * Math.min(1, 0.35 + r));
    }
  }
  const disc = { side, cover };
  const ofSize = discs[size] ?? [];
  discs[size] = ofSize;
  ofSize[place] = disc;
  return disc;
}

/** Blends a disc into the image; `opacity` up to 256. */
export function putDisc(picture: Picture, x: number, y: number, radius: number, color: number, opacity: number): void {
  const { width, height, pixels } = picture;
  const left = Math.floor(x);
  const top = Math.floor(y);
  const phaseX = Math.floor((x - left) * PHASES);
  const phaseY = Math.floor((y - top) * PHASES);
  const { side, cover } = discOf(radius, phaseX, phaseY);
  const before = (side - 2) / 2;
  const [x0, y0] = [left - before, top - before];
  const red = color & 255;
  const green = (color >> 8) & 255;
  const blue = (color >> 16) & 255;
  const fromX = Math.max(0, -x0);
  const toX = Math.min(side, width - x0);
  const toY = Math.min(side, height - y0);
  for (let v = Math.max(0, -y0); v < toY; v++) {
    let at = (y0 + v) * width + x0 + fromX;
    for (let u = fromX; u < toX; u++, at++) {
      const part = ((cover[v * side + u] ?? 0) * opacity) >> 8;
      if (part === 0) continue;
      if (part >= 254) {
        pixels[at] = color;
        continue;
      }
      const old = pixels[at] ?? 0;
      const rest = 255 - part;
      const r = ((red * part + (old & 255) * rest + 128) * 257) >> 16;
      const g = ((green * part + ((old >> 8) & 255) * rest + 128) * 257) >> 16;
      const b = ((blue * part + ((old >> 16) & 255) * rest + 128) * 257) >> 16;
      pixels[at] = 0xff000000 | (b << 16) | (g << 8) | r;
    }
  }
}

/** Converts "#rrggbb" or "#rgb" to a pixel: alpha, blue, green, red. */
export function pixelOf(color: string): number {
  const digits = color.slice(1);
  const whole = digits.length < 6 ? [...digits.slice(0, 3)].map((digit) => digit + digit).join("") : digits;
  const value = Number.parseInt(whole.slice(0, 6), 16) || 0;
  return (0xff000000 | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** Mixes two pixels; if `share` is 0, the result is the first. */
export function mixed(one: number, other: number, share: number): number {
  const part = (shift: number): number => {
    const [a, b] = [(one >> shift) & 255, (other >> shift) & 255];
    return Math.round(a + (b - a) * share) << shift;
  };
  return (0xff000000 | part(16) | part(8) | part(0)) >>> 0;
}
