// Draws points on the GPU: the same picture as on the CPU (painting.ts), but much faster. It draws on a separate canvas
// and copies the result, so that the CPU can take over at any time, e.g. when the GPU context is lost.

import type { Vector } from "./camera";
import type { Scene } from "./host_state";
import { drawAxes, drawMarks, HAZE, haloed, LARGEST, opacityOf, type Put, pointRadius } from "./painting";
import { DEPTHS, look as lookAt, MARGIN_PX, NEAREST, pixelOf, type Seen } from "./raster";

export type GlPainter = {
  /** Returns how many points were drawn; null if it cannot draw these, or the context is lost. */
  readonly draw: (context: OffscreenCanvasRenderingContext2D, scene: Scene, seen: Seen, step: number) => number | null;
  /** True if the previous picture was not finished when the last one was started. */
  readonly isBehind: () => boolean;
  readonly isLost: () => boolean;
  readonly close: () => void;
};

// Repeats the visible rounding of the CPU: centers to quarters of a pixel, radii to eighths, depths to the same number
// of levels. The coordinates of a pixel are those of its upper left corner.
const COMMON = `#version 300 es
precision highp float;
uniform vec2 size;
uniform float margin;
out vec4 paint;
out float opacity;
out float radius;
flat out vec2 middle;
void put(vec2 at, float r) {
  vec2 quarter = floor(at * 4.0) / 4.0;
  radius = floor(r * 8.0 + 0.5) / 8.0;
  middle = vec2(quarter.x, size.y - 1.0 - quarter.y);
  gl_Position = vec4((middle + 0.5 + margin) / (size + 2.0 * margin) * 2.0 - 1.0, 0.0, 1.0);
  gl_PointSize = 2.0 * radius + 3.0;
}`;

const CROWD = `${COMMON}
uniform vec3 right, up, back, target, background;
uniform float eye, focal, lowest, perDepth, farthest, nearest, depths, usual, haze, strength;
uniform bool isFlat;
in vec3 place;
in vec4 color;
void main() {
  vec3 from = place - target;
  float depth = isFlat ? 1.0 : eye - dot(from, back);
  float far = clamp(floor((depth - lowest) * perDepth), 0.0, depths);
  float level = isFlat ? depths : depths - far;
  float times = isFlat ? 1.0 : clamp(eye / (lowest + far / depths * (farthest - lowest)), 0.6, 3.0);
  float share = isFlat ? 0.0 : floor(haze * (1.0 - level / depths) * 256.0) / 256.0;
  paint = vec4(mix(color.rgb, background, share), 1.0);
  opacity = strength;
  float scale = focal / depth;
  put(size / 2.0 + vec2(dot(from, right), -dot(from, up)) * scale, usual * times);
  if (!(depth >= nearest)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const DISCS = `${COMMON}
in vec4 disc;
in vec4 color;
void main() {
  paint = color;
  opacity = disc.w;
  put(disc.xy, disc.z);
}`;

const SHADE = `#version 300 es
precision highp float;
in vec4 paint;
in float opacity;
in float radius;
flat in vec2 middle;
out vec4 shown;
void main() {
  float cover = clamp(radius + 0.5 - distance(floor(gl_FragCoord.xy), middle), 0.0, 1.0) * min(1.0, 0.35 + radius);
  float part = floor(floor(cover * 255.0 + 0.5) * opacity / 256.0);
  if (part < 1.0) discard;
  shown = vec4(paint.rgb, part >= 254.0 ? 1.0 : part / 255.0);
}`;

/** Software-emulated GPUs are slower than drawing on the CPU. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns null if there is no GPU, or only an emulated one without `wanted`. `onLost`: the context was lost. */
export function makeGlPainter(wanted: boolean, onLost: () => void): GlPainter | null {
  if (typeof OffscreenCanvas === "undefined") return null;
  const canvas = new OffscreenCanvas(1, 1);
  const gl = canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    depth: false,
    failIfMajorPerformanceCaveat: !wanted,
  });
  if (gl === null) return null;
  if (!wanted && SOFTWARE.test(rendererOf(gl))) return null;
  const crowd = linked(gl, CROWD, ["place", "color"]);
  const discs = linked(gl, DISCS, ["disc", "color"]);
  if (crowd === null || discs === null) return null;
  canvas.addEventListener("webglcontextlost", () => onLost());
  return painterOn(canvas, gl, crowd, discs);
}

function rendererOf(gl: WebGL2RenderingContext): string {
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(named === null ? gl.RENDERER : named.UNMASKED_RENDERER_WEBGL));
}

type Program = { readonly program: WebGLProgram; readonly at: (name: string) => WebGLUniformLocation | null };

/** Returns null if compiling or linking fails. The first attribute gets location 0, which some drivers need. */
function linked(gl: WebGL2RenderingContext, vertex: string, attributes: readonly string[]): Program | null {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, SHADE],
  ] as const) {
    const shader = gl.createShader(type);
    if (shader === null) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  attributes.forEach((name, at) => {
    gl.bindAttribLocation(program, at, name);
  });
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
  const known = new Map<string, WebGLUniformLocation | null>();
  const at = (name: string): WebGLUniformLocation | null => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    const location = gl.getUniformLocation(program, name);
    known.set(name, location);
    return location;
  };
  return { program, at };
}

/** GPU resources of the painter. */
type Painter = {
  readonly canvas: OffscreenCanvas;
  readonly gl: WebGL2RenderingContext;
  readonly crowd: Program;
  readonly discs: Program;
  readonly buffers: Readonly<Record<"places" | "tints" | "order" | "list", WebGLBuffer>>;
  /** Maximum point size of the GPU in pixels. */
  readonly largest: number;
  /** Arrays in the GPU buffers; another array is uploaded again. */
  heldPlaces: Float32Array | null;
  heldTints: Uint32Array | null;
  heldOrder: Sorted | null;
  /** Data of discs: one growing buffer, viewed as floats and as pixels. */
  discNumbers: Float32Array;
  discPixels: Uint32Array;
  readonly sorter: Sorter;
  /** Signaled when the GPU has finished the last picture. */
  fence: WebGLSync | null;
  behind: boolean;
};

/** Numbers per disc: x, y, radius, opacity, and its color as a pixel. */
const DISC = 5;

function painterOn(canvas: OffscreenCanvas, gl: WebGL2RenderingContext, crowd: Program, discs: Program): GlPainter {
  const [largest = 1] = [(gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE) as Float32Array)[1]];
  const discNumbers = new Float32Array(DISC * 4096);
  const painter: Painter = {
    canvas,
    gl,
    crowd,
    discs,
    buffers: {
      places: gl.createBuffer(),
      tints: gl.createBuffer(),
      order: gl.createBuffer(),
      list: gl.createBuffer(),
    },
    largest,
    heldPlaces: null,
    heldTints: null,
    heldOrder: null,
    discNumbers,
    discPixels: new Uint32Array(discNumbers.buffer),
    sorter: { rows: new Uint32Array(0), levels: new Uint16Array(0) },
    fence: null,
    behind: false,
  };
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  gl.enableVertexAttribArray(0);
  return {
    draw: (context, scene, seen, step) => draw(painter, context, scene, seen, step),
    isBehind: () => painter.behind,
    isLost: () => gl.isContextLost(),
    close: () => gl.getExtension("WEBGL_lose_context")?.loseContext(),
  };
}

function draw(
  painter: Painter,
  context: OffscreenCanvasRenderingContext2D,
  scene: Scene,
  seen: Seen,
  step: number,
): number | null {
  const { canvas, gl } = painter;
  const { lens, cloud, look, marks } = scene;
  const radius = pointRadius(scene);
  if (gl.isContextLost() || 2 * LARGEST * radius + 12 * scene.ratio > painter.largest) return null;
  if (canvas.width !== lens.width) canvas.width = lens.width;
  if (canvas.height !== lens.height) canvas.height = lens.height;
  // the viewport has a margin: a GPU clips points whose center is outside, although their discs may be partly visible
  gl.viewport(-MARGIN_PX, -MARGIN_PX, lens.width + 2 * MARGIN_PX, lens.height + 2 * MARGIN_PX);
  gl.clearColor(...partsOf(pixelOf(look.background)), 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  drawDiscs(painter, scene, (put) => drawAxes(put, scene));
  seen.count = 0;
  if (scene.sprite !== null || look.labels) lookAt(lens, cloud.positions, marks.only, step, null, seen);
  const drawn = scene.sprite === null ? drawCrowd(painter, scene, radius, step) : seen.count;
  drawDiscs(painter, scene, (put) => drawMarks(put, scene, radius));
  if (gl.isContextLost()) return null;
  context.drawImage(canvas, 0, 0);
  // do not block on the GPU: the next picture checks whether this fence is signaled
  const { fence } = painter;
  painter.behind = fence !== null && scene.moving && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED;
  gl.deleteSync(fence);
  painter.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  return drawn;
}

function begin(gl: WebGL2RenderingContext, program: Program, { lens }: Scene): void {
  gl.useProgram(program.program);
  gl.uniform2f(program.at("size"), lens.width, lens.height);
  gl.uniform1f(program.at("margin"), MARGIN_PX);
}

/** Draws all points; returns how many were drawn. */
function drawCrowd(painter: Painter, scene: Scene, radius: number, step: number): number {
  const { gl, crowd, buffers } = painter;
  const { lens, cloud, marks } = scene;
  begin(gl, crowd, scene);
  setLens(painter, scene, radius);
  bindPlaces(painter, scene);
  bindTints(painter, scene);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffers.order);
  let order = painter.heldOrder;
  if (order === null || !serves(order, scene, step)) {
    const { rows, count } = backToFrontRows(painter.sorter, scene, step);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, rows.subarray(0, count), gl.STREAM_DRAW);
    const { back } = lens.basis;
    order = { positions: cloud.positions, only: marks.only, step, back, flat: lens.flat, count };
    painter.heldOrder = order;
  }
  gl.drawElements(gl.POINTS, order.count, gl.UNSIGNED_INT, 0);
  return order.count;
}

function setLens({ gl, crowd }: Painter, scene: Scene, radius: number): void {
  const { lens, look } = scene;
  const { right, up, back } = lens.basis;
  const [lowest, farthest] = [Math.max(NEAREST, lens.eye - 1.2), lens.eye + 1.2];
  for (const [name, vector] of Object.entries({ right, up, back, target: lens.target })) {
    gl.uniform3f(crowd.at(name), ...vector);
  }
  gl.uniform3f(crowd.at("background"), ...partsOf(pixelOf(look.background)));
  gl.uniform1i(crowd.at("isFlat"), lens.flat ? 1 : 0);
  const numbers = {
    eye: lens.eye,
    focal: lens.focalPx,
    lowest,
    farthest,
    perDepth: (DEPTHS - 1) / Math.max(1e-6, farthest - lowest),
    nearest: NEAREST,
    depths: DEPTHS - 1,
    usual: radius,
    haze: HAZE,
    strength: opacityOf(scene),
  };
  for (const [name, number] of Object.entries(numbers)) gl.uniform1f(crowd.at(name), number);
}

function bindPlaces(painter: Painter, { cloud }: Scene): void {
  const { gl, buffers } = painter;
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.places);
  if (painter.heldPlaces !== cloud.positions) gl.bufferData(gl.ARRAY_BUFFER, cloud.positions, gl.STATIC_DRAW);
  painter.heldPlaces = cloud.positions;
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
}

/** Binds one color per point, or one for all. */
function bindTints(painter: Painter, { colors, marks, look }: Scene): void {
  const { gl, buffers } = painter;
  if (haloed(marks) || colors === null) {
    gl.disableVertexAttribArray(1);
    gl.vertexAttrib3f(1, ...partsOf(pixelOf(haloed(marks) ? look.faded : look.plain)));
    return;
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.tints);
  if (painter.heldTints !== colors) gl.bufferData(gl.ARRAY_BUFFER, colors, gl.STATIC_DRAW);
  painter.heldTints = colors;
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 0, 0);
}

/** Draws single discs at pixel positions. */
function drawDiscs(painter: Painter, scene: Scene, fill: (put: Put) => void): void {
  const { gl, discs, buffers } = painter;
  let count = 0;
  fill((x, y, radius, color, opacity) => {
    const at = DISC * count;
    if (at + DISC > painter.discNumbers.length) growDiscs(painter);
    const { discNumbers, discPixels } = painter;
    discNumbers[at] = x;
    discNumbers[at + 1] = y;
    discNumbers[at + 2] = radius;
    discNumbers[at + 3] = opacity;
    discPixels[at + 4] = color;
    count += 1;
  });
  if (count === 0) return;
  begin(gl, discs, scene);
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers.list);
  gl.bufferData(gl.ARRAY_BUFFER, painter.discNumbers.subarray(0, DISC * count), gl.STREAM_DRAW);
  gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 4 * DISC, 0);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4 * DISC, 16);
  gl.drawArrays(gl.POINTS, 0, count);
}

function growDiscs(painter: Painter): void {
  const more = new Float32Array(2 * painter.discNumbers.length);
  more.set(painter.discNumbers);
  painter.discNumbers = more;
  painter.discPixels = new Uint32Array(more.buffer);
}

function partsOf(pixel: number): [number, number, number] {
  return [(pixel & 255) / 255, ((pixel >> 8) & 255) / 255, ((pixel >> 16) & 255) / 255];
}

type Sorted = {
  readonly positions: Float32Array;
  readonly only: Uint32Array | null;
  readonly step: number;
  readonly back: Vector;
  readonly flat: boolean;
  readonly count: number;
};

/** Cosine of the rotation after which moving points are sorted again; a few degrees are not visible. */
const ALIKE = 0.998;

/** Returns true if a cached order is right for a scene; approximately right while the camera moves. */
function serves(held: Sorted, { lens, cloud, marks, moving }: Scene, step: number): boolean {
  if (held.positions !== cloud.positions || held.only !== marks.only || held.step !== step) return false;
  if (held.flat !== lens.flat) return false;
  if (lens.flat) return true;
  const { back } = lens.basis;
  return moving && held.back[0] * back[0] + held.back[1] * back[1] + held.back[2] * back[2] > ALIKE;
}

/** Reused memory for sorting; it grows. */
type Sorter = { rows: Uint32Array; levels: Uint16Array };

/** Returns the rows in front of the eye, farthest first; for a flat cloud in their own order. */
function backToFrontRows(
  sorter: Sorter,
  { lens, cloud, marks }: Scene,
  step: number,
): { readonly rows: Uint32Array; readonly count: number } {
  const { positions } = cloud;
  const { only } = marks;
  const total = only === null ? cloud.rows : only.length;
  if (sorter.rows.length < total) {
    sorter.rows = new Uint32Array(total);
    sorter.levels = new Uint16Array(total);
  }
  const { rows, levels } = sorter;
  const [tx, ty, tz] = lens.target;
  const [bx, by, bz] = lens.basis.back;
  const { eye, flat } = lens;
  const lowest = Math.max(NEAREST, eye - 1.2);
  const perDepth = (DEPTHS - 1) / Math.max(1e-6, eye + 1.2 - lowest);
  const starts = new Uint32Array(DEPTHS + 1);
  const BEHIND = DEPTHS;
  for (let i = 0; i < total; i += step) {
    const at = 3 * (only === null ? i : (only[i] ?? 0));
    const x = positions[at] ?? 0;
    const along = (x - tx) * bx + ((positions[at + 1] ?? 0) - ty) * by + ((positions[at + 2] ?? 0) - tz) * bz;
    // also true for points without a position (NaN)
    const depth = flat ? (Number.isNaN(x) ? 0 : 1) : eye - along;
    if (!(depth >= NEAREST)) {
      levels[i] = BEHIND;
      continue;
    }
    const far = flat ? 0 : Math.floor((depth - lowest) * perDepth);
    const level = flat ? 0 : far < 0 ? DEPTHS - 1 : far >= DEPTHS ? 0 : DEPTHS - 1 - far;
    levels[i] = level;
    starts[level + 1] = (starts[level + 1] ?? 0) + 1;
  }
  for (let level = 0; level < DEPTHS; level++) starts[level + 1] = (starts[level + 1] ?? 0) + (starts[level] ?? 0);
  const count = starts[DEPTHS] ?? 0;
  for (let i = 0; i < total; i += step) {
    const level = levels[i] ?? BEHIND;
    if (level === BEHIND) continue;
    const place = starts[level] ?? 0;
    starts[level] = place + 1;
    rows[place] = only === null ? i : (only[i] ?? 0);
  }
  return { rows, count };
}
