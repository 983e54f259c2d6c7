// Draws a mesh without WebGL: writes points and triangles pixel by pixel into an image with a depth buffer. Slower, but
// works in every browser.

import { type Drawing, drawLabels, parseColor, pointPx, segmentsOf } from "./drawing";
import { project, projectionOf } from "./orbit";

type Raster = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly image: ImageData;
  /** Depth buffer: distance from the camera. */
  readonly depth: Float32Array;
};

let raster: Raster | null = null;

function rasterOf(width: number, height: number): Raster {
  if (raster === null || raster.width !== width || raster.height !== height) {
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    raster = { width, height, image, pixels, depth: new Float32Array(width * height) };
  }
  return raster;
}

// while the camera moves, draw as much as the CPU can in this many milliseconds
const MOVING_MS = 24;
const FEWEST = 20_000;
let movingPoints = 200_000;
let movingFaces = 60_000;

function paced(now: number, whole: number, tookMs: number): number {
  // draw more after a fast frame, less after a slow one
  const next = now * Math.min(1.5, Math.max(0.5, MOVING_MS / Math.max(1, tookMs)));
  return Math.max(FEWEST, Math.min(Math.max(now, whole), next));
}

function packed(r: number, g: number, b: number): number {
  return 0xff000000 | (Math.min(255, b) << 16) | (Math.min(255, g) << 8) | Math.min(255, r);
}

export function drawPlain(context: CanvasRenderingContext2D, drawing: Drawing): number {
  const begin = performance.now();
  const { width, height, look, model, moving } = drawing;
  const target = rasterOf(width, height);
  const [r, g, b] = parseColor(look.background).map((part) => Math.round(255 * part));
  target.pixels.fill(packed(r ?? 255, g ?? 255, b ?? 255));
  target.depth.fill(Number.POSITIVE_INFINITY);
  const seen = projected(drawing);
  const { face } = model.data;
  let drawn = model.vertex.length / 3;
  if (face === null) drawn = drawPoints(target, drawing, seen, moving ? movingPoints : drawn);
  else if (look.wires || model.config.material.wireframe) drawWires(target, drawing, seen, face, moving);
  else drawFaces(target, drawing, seen, face, moving);
  if (look.grid) drawGrid(target, drawing);
  context.putImageData(target.image, 0, 0);
  if (moving) {
    const took = performance.now() - begin;
    if (face === null) movingPoints = Math.round(paced(movingPoints, model.vertex.length / 3, took));
    else movingFaces = Math.round(paced(movingFaces, face.length / 3, took));
  }
  if (look.grid) drawLabels(context, drawing);
  return drawn;
}

/** x, y and depth of each vertex in pixels; depth is 0 or negative behind the camera. */
function projected({ model, camera, look, width, height, moving }: Drawing): Float32Array {
  const { vertex } = model;
  const count = moving && model.data.face === null ? Math.min(movingPoints, vertex.length / 3) : vertex.length / 3;
  const seen = new Float32Array(3 * count);
  const { basis, target, eyeDistance, focalPx, flat } = projectionOf(camera, look.lens, height, look.up);
  const [rx, ry, rz] = basis.right;
  const [ux, uy, uz] = basis.up;
  const [bx, by, bz] = basis.back;
  const [tx, ty, tz] = target;
  for (let i = 0; i < seen.length; i += 3) {
    const a = (vertex[i] ?? 0) - tx;
    const b = (vertex[i + 1] ?? 0) - ty;
    const c = (vertex[i + 2] ?? 0) - tz;
    const depth = eyeDistance - (a * bx + b * by + c * bz);
    const scale = flat ? focalPx : focalPx / depth;
    seen[i] = width / 2 + (a * rx + b * ry + c * rz) * scale;
    seen[i + 1] = height / 2 - (a * ux + b * uy + c * uz) * scale;
    seen[i + 2] = flat ? depth + eyeDistance * 1e3 : depth > eyeDistance * 1e-4 ? depth : -1;
  }
  return seen;
}

function ownColor({ model, look }: Drawing): readonly [number, number, number] {
  const own = model.config.material.color;
  const [r, g, b] = own === null ? parseColor(look.foreground).map((part) => Math.round(255 * part)) : bytesOf(own);
  return [r ?? 0, g ?? 0, b ?? 0];
}

function bytesOf(color: number): readonly number[] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function drawPoints(target: Raster, drawing: Drawing, seen: Float32Array, most: number): number {
  const { width, height, pixels, depth } = target;
  const { color } = drawing.model;
  const size = Math.max(1, Math.round(pointPx(drawing)));
  const before = size >> 1;
  const plain = packed(...ownColor(drawing));
  const end = Math.min(seen.length, 3 * most);
  for (let i = 0; i < end; i += 3) {
    const far = seen[i + 2] ?? -1;
    if (far <= 0) continue;
    const left = Math.round(seen[i] ?? -1) - before;
    const top = Math.round(seen[i + 1] ?? -1) - before;
    if (!(left > -size && top > -size && left < width && top < height)) continue;
    const shade = color === null ? plain : packed(color[i] ?? 0, color[i + 1] ?? 0, color[i + 2] ?? 0);
    for (let y = Math.max(0, top); y < Math.min(height, top + size); y++) {
      for (let x = Math.max(0, left); x < Math.min(width, left + size); x++) {
        const at = y * width + x;
        if ((depth[at] ?? 0) <= far) continue;
        depth[at] = far;
        pixels[at] = shade;
      }
    }
  }
  return end / 3;
}

/** Draws flat-shaded triangles; those that face the camera are brightest. */
function drawFaces(target: Raster, drawing: Drawing, seen: Float32Array, face: Uint32Array, moving: boolean): void {
  const { color, vertex } = drawing.model;
  const own = ownColor(drawing);
  const { back } = projectionOf(drawing.camera, drawing.look.lens, drawing.height, drawing.look.up).basis;
  // every nth face, so that a moving mesh keeps its shape
  const step = moving ? 3 * Math.max(1, Math.ceil(face.length / 3 / movingFaces)) : 3;
  for (let f = 0; f < face.length; f += step) {
    const [a, b, c] = [3 * (face[f] ?? 0), 3 * (face[f + 1] ?? 0), 3 * (face[f + 2] ?? 0)];
    if ((seen[a + 2] ?? -1) <= 0 || (seen[b + 2] ?? -1) <= 0 || (seen[c + 2] ?? -1) <= 0) continue;
    const light = 0.35 + 0.65 * facing(vertex, a, b, c, back);
    const part = (k: number): number => {
      if (color === null) return own[k] ?? 0;
      return ((color[a + k] ?? 0) + (color[b + k] ?? 0) + (color[c + k] ?? 0)) / 3;
    };
    fill(
      target,
      seen,
      a,
      b,
      c,
      packed(Math.round(part(0) * light), Math.round(part(1) * light), Math.round(part(2) * light)),
    );
  }
}

function facing(
  vertex: Float32Array,
  a: number,
  b: number,
  c: number,
  back: readonly [number, number, number],
): number {
  const side = (from: number, to: number, k: number): number => (vertex[to + k] ?? 0) - (vertex[from + k] ?? 0);
  const [x1, y1, z1, x2, y2, z2] = [
    side(a, b, 0),
    side(a, b, 1),
    side(a, b, 2),
    side(a, c, 0),
    side(a, c, 1),
    side(a, c, 2),
  ];
  const [x, y, z] = [y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2];
  const length = Math.hypot(x, y, z);
  return length > 0 ? Math.abs(x * back[0] + y * back[1] + z * back[2]) / length : 1;
}

function fill(target: Raster, seen: Float32Array, a: number, b: number, c: number, shade: number): void {
  const { width, height, pixels, depth } = target;
  const [ax, ay, az] = [seen[a] ?? 0, seen[a + 1] ?? 0, seen[a + 2] ?? 0];
  const [bx, by, bz] = [seen[b] ?? 0, seen[b + 1] ?? 0, seen[b + 2] ?? 0];
  const [cx, cy, cz] = [seen[c] ?? 0, seen[c + 1] ?? 0, seen[c + 2] ?? 0];
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (area === 0) return;
  const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)));
  const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)));
  const top = Math.max(0, Math.floor(Math.min(ay, by, cy)));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)));
  // slightly larger triangles, so that neighbors leave no gap
  const slack = -1e-3;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const u = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
      const v = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
      const w = 1 - u - v;
      if (u < slack || v < slack || w < slack) continue;
      const far = u * az + v * bz + w * cz;
      const at = y * width + x;
      if ((depth[at] ?? 0) <= far) continue;
      depth[at] = far;
      pixels[at] = shade;
    }
  }
}

function drawWires(target: Raster, drawing: Drawing, seen: Float32Array, face: Uint32Array, moving: boolean): void {
  const { color } = drawing.model;
  const plain = packed(...ownColor(drawing));
  const step = moving ? 3 * Math.max(1, Math.ceil(face.length / 3 / movingFaces)) : 3;
  for (let f = 0; f < face.length; f += step) {
    for (let k = 0; k < 3; k++) {
      const a = 3 * (face[f + k] ?? 0);
      const b = 3 * (face[f + ((k + 1) % 3)] ?? 0);
      const shade = color === null ? plain : packed(color[a] ?? 0, color[a + 1] ?? 0, color[a + 2] ?? 0);
      drawLine(target, seen.subarray(a, a + 3), seen.subarray(b, b + 3), shade);
    }
  }
}

function drawLine(target: Raster, from: ArrayLike<number>, to: ArrayLike<number>, shade: number): void {
  const { width, height, pixels, depth } = target;
  const [x0, y0, z0] = [from[0] ?? 0, from[1] ?? 0, from[2] ?? -1];
  const [x1, y1, z1] = [to[0] ?? 0, to[1] ?? 0, to[2] ?? -1];
  if (z0 <= 0 || z1 <= 0) return;
  const length = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
  // passes almost through the camera: most of it is outside of the image
  if (!(length < 20 * (width + height))) return;
  const count = Math.max(1, Math.ceil(length));
  for (let i = 0; i <= count; i++) {
    const share = i / count;
    const x = Math.round(x0 + (x1 - x0) * share);
    const y = Math.round(y0 + (y1 - y0) * share);
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const far = z0 + (z1 - z0) * share;
    const at = y * width + x;
    if ((depth[at] ?? 0) < far) continue;
    depth[at] = far;
    pixels[at] = shade;
  }
}

function drawGrid(target: Raster, drawing: Drawing): void {
  const { look, camera, width, height, model } = drawing;
  const { positions, colors } = segmentsOf(model, look.up, look.line);
  const projection = projectionOf(camera, look.lens, height, look.up);
  const offset = look.lens.flat ? camera.distance * 1e3 : 0;
  for (let i = 0; i < positions.length; i += 6) {
    const ends = [i, i + 3].map((at) => {
      const place = project(projection, positions[at] ?? 0, positions[at + 1] ?? 0, positions[at + 2] ?? 0);
      return place === null ? [0, 0, -1] : [width / 2 + place[0], height / 2 + place[1], place[2] + offset];
    });
    const shade = packed(...([0, 1, 2].map((k) => Math.round(255 * (colors[i + k] ?? 0))) as [number, number, number]));
    drawLine(target, ends[0] ?? [], ends[1] ?? [], shade);
  }
}
