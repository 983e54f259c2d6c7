// Input of a renderer, with or without WebGL: a mesh, a camera, and display settings.

import type { MeshCamera } from "../../state/members/shared";
import type { MeshData } from "../../state/mesh";
import type { MeshConfig } from "./config";
import { type Bounds, centreOf, type Lens, project, projectionOf, radiusOf, type Up, type Vector } from "./orbit";

/** A mesh ready for drawing. Points of a cloud are ordered so that any first n of them are spread evenly. */
export type Model = {
  readonly data: MeshData;
  readonly vertex: Float32Array;
  readonly color: Uint8Array | null;
  readonly config: MeshConfig;
  readonly bounds: Bounds;
};

export type Look = {
  readonly lens: Lens;
  readonly up: Up;
  /** Pixels; 0: as logged, or chosen by the number of points. */
  readonly pointSize: number;
  readonly wires: boolean;
  readonly grid: boolean;
  /** #rrggbb */
  readonly background: string;
  readonly foreground: string;
  readonly line: string;
};

export type Drawing = {
  readonly model: Model;
  readonly camera: MeshCamera;
  readonly look: Look;
  /** Screen pixels. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** The user is moving the camera: speed matters more than drawing all points. */
  readonly moving: boolean;
};

const FOV = 50;

export function lensOf({ camera }: MeshConfig): Lens {
  return { fov: camera.fov ?? FOV, flat: camera.flat };
}

export function boundsOf({ header, vertex }: Pick<MeshData, "header" | "vertex">): Bounds {
  const of = (values: readonly number[]): readonly [number, number, number] => [
    Number(values[0] ?? 0),
    Number(values[1] ?? 0),
    Number(values[2] ?? 0),
  ];
  const box = { lo: of(header.lo), hi: of(header.hi) };
  return { ...box, reach: reachOf(vertex, centreOf(box)) };
}

/** Distance of the farthest vertex from a position: a sphere fits tighter than the bounding box. */
function reachOf(vertex: Float32Array, [x, y, z]: Vector): number {
  let most = 0;
  for (let i = 0; i < vertex.length; i += 3) {
    const [a, b, c] = [(vertex[i] ?? 0) - x, (vertex[i + 1] ?? 0) - y, (vertex[i + 2] ?? 0) - z];
    most = Math.max(most, a * a + b * b + c * c);
  }
  return Math.sqrt(most);
}

// fewer points are always all drawn, in any order
const WORTH_SPREADING = 50_000;

export function modelOf(data: MeshData, config: MeshConfig): Model {
  const bounds = boundsOf(data);
  const plain = { data, vertex: data.vertex, color: data.color, config, bounds };
  const count = data.vertex.length / 3;
  if (data.face !== null || count < WORTH_SPREADING) return plain;
  const step = coprimeTo(count);
  const vertex = new Float32Array(data.vertex.length);
  const color = data.color === null ? null : new Uint8Array(data.color.length);
  for (let i = 0, from = 0; i < count; i++, from = (from + step) % count) {
    const [a, b] = [3 * i, 3 * from];
    vertex[a] = data.vertex[b] ?? 0;
    vertex[a + 1] = data.vertex[b + 1] ?? 0;
    vertex[a + 2] = data.vertex[b + 2] ?? 0;
    if (color === null || data.color === null) continue;
    color[a] = data.color[b] ?? 0;
    color[a + 1] = data.color[b + 1] ?? 0;
    color[a + 2] = data.color[b + 2] ?? 0;
  }
  return { ...plain, vertex, color };
}

/** Returns a step length that visits every index once; with the golden ratio each new index falls into a wide gap. */
function coprimeTo(count: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
  let step = Math.round(count * 0.6180339887);
  while (divides(count, step) !== 1) step++;
  return step;
}

/** Point size in screen pixels. */
export function pointPx({ model, look, ratio }: Drawing): number {
  if (look.pointSize > 0) return look.pointSize * ratio;
  const { size, attenuated } = model.config.material;
  if (size !== null && !attenuated) return Math.min(20, size) * ratio;
  return ratio * Math.min(4, Math.max(1, 3 * Math.sqrt(4000 / (model.vertex.length / 3))));
}

// ---- axes and grid

export type Segments = { readonly positions: Float32Array; readonly colors: Float32Array };

const AXES = [
  [0.86, 0.25, 0.25],
  [0.18, 0.62, 0.28],
  [0.26, 0.47, 0.92],
] as const;

const CELLS = 10;

/** A grid below the mesh, and the three axes from its lowest corner. */
export function segmentsOf({ bounds }: Pick<Model, "bounds">, up: Up, line: string): Segments {
  const radius = radiusOf(bounds);
  const centre = centreOf(bounds);
  const upright = up === "y" ? 1 : 2;
  const [a, b] = up === "y" ? [0, 2] : [0, 1];
  const cell = niceStep((2 * radius) / CELLS);
  const floor = bounds.lo[upright] - 0.02 * radius;
  const positions: number[] = [];
  const colors: number[] = [];
  const shade = parseColor(line);
  const add = (from: readonly number[], to: readonly number[], color: readonly number[]): void => {
    positions.push(...from, ...to);
    colors.push(...color, ...color);
  };
  const at = (first: number, second: number): readonly number[] => {
    const place = [0, 0, 0];
    place[a] = first;
    place[b] = second;
    place[upright] = floor;
    return place;
  };
  const from = (axis: number): number => Math.floor(((centre[axis] ?? 0) - radius) / cell) * cell;
  const [a0, b0] = [from(a), from(b)];
  const lines = Math.ceil((2 * radius) / cell) + 1;
  const [a1, b1] = [a0 + lines * cell, b0 + lines * cell];
  for (let i = 0; i <= lines; i++) {
    add(at(a0 + i * cell, b0), at(a0 + i * cell, b1), shade);
    add(at(a0, b0 + i * cell), at(a1, b0 + i * cell), shade);
  }
  for (const { from: start, to, axis } of axesOf({ bounds }, up)) add(start, to, AXES[axis] ?? shade);
  return { positions: new Float32Array(positions), colors: new Float32Array(colors) };
}

type Axis = { readonly axis: number; readonly from: readonly number[]; readonly to: readonly number[] };

/** The axes, starting at a corner of the bounds. */
function axesOf({ bounds }: Pick<Model, "bounds">, up: Up): readonly Axis[] {
  const radius = radiusOf(bounds);
  const corner = [...bounds.lo];
  const upright = up === "y" ? 1 : 2;
  corner[upright] = (corner[upright] ?? 0) - 0.02 * radius;
  return [0, 1, 2].map((axis) => {
    const to = [...corner];
    to[axis] = Math.max(bounds.hi[axis] ?? 0, (corner[axis] ?? 0) + 0.5 * radius);
    return { axis, from: corner, to };
  });
}

/** Draws x, y and z at the ends of their axes, with the extent of the mesh. */
export function drawLabels(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { camera, look, width, height, ratio, model } = drawing;
  const projection = projectionOf(camera, look.lens, height, look.up);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { axis, to } of axesOf(model, look.up)) {
    const place = project(projection, to[0] ?? 0, to[1] ?? 0, to[2] ?? 0);
    if (place === null) continue;
    const [r, g, b] = (AXES[axis] ?? [0, 0, 0]).map((part) => Math.round(255 * part));
    context.fillStyle = look.background;
    context.globalAlpha = 0.6;
    const [x, y] = [width / 2 + place[0], height / 2 + place[1]];
    const text = `${"xyz"[axis]} ${(model.bounds.hi[axis] ?? 0).toPrecision(3)}`;
    const half = context.measureText(text).width / 2 + 3 * ratio;
    context.fillRect(x - half, y - 8 * ratio, 2 * half, 16 * ratio);
    context.globalAlpha = 1;
    context.fillStyle = `rgb(${r} ${g} ${b})`;
    context.fillText(text, x, y);
  }
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
}

/** Returns red, green and blue from 0 to 1. */
export function parseColor(hex: string): readonly [number, number, number] {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex)?.[1] ?? "808080";
  const value = Number.parseInt(digits.length === 3 ? digits.replace(/./g, "$&$&") : digits, 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
