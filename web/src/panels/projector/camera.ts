// A camera that orbits a cloud whose points are within distance 1 of the origin; it views flat clouds from the front.

import type { ProjectorCamera } from "../../state/members/projector";

export type Vector = readonly [number, number, number];

/** Vertical field of view in degrees. */
const FOV = 40;
const HALF = Math.tan((FOV * Math.PI) / 360);
const POLE = 1e-3;
const NEAREST = 0.02;
const FARTHEST = 60;

const FIRST_ANGLES = { theta: 0.6, phi: 1.2 };

/** Returns a camera that sees the whole cloud. `aspect`: width / height. */
export function firstCamera(flat: boolean, aspect: number): ProjectorCamera {
  const narrow = Math.min(1, aspect > 0 ? aspect : 1);
  // in perspective a ball looks larger than a disc seen from the front
  const distance = (flat ? 1.08 : 1.02 / Math.cos(Math.atan(HALF))) / HALF / narrow;
  return { ...(flat ? { theta: 0, phi: Math.PI / 2 } : FIRST_ANGLES), x: 0, y: 0, z: 0, distance };
}

export type Basis = { readonly right: Vector; readonly up: Vector; readonly back: Vector };

export function basisOf({ theta, phi }: Pick<ProjectorCamera, "theta" | "phi">, flat: boolean): Basis {
  if (flat) return { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] };
  const [st, ct, sp, cp] = [Math.sin(theta), Math.cos(theta), Math.sin(phi), Math.cos(phi)];
  return { right: [ct, 0, -st], up: [-cp * st, sp, -cp * ct], back: [sp * st, cp, sp * ct] };
}

/** Dragging over half the height rotates by half a circle. */
export function rotated(camera: ProjectorCamera, dx: number, dy: number, heightPx: number): ProjectorCamera {
  const turn = (2 * Math.PI) / Math.max(1, heightPx);
  const phi = Math.min(Math.PI - POLE, Math.max(POLE, camera.phi - dy * turn));
  return { ...camera, theta: wrapped(camera.theta - dx * turn), phi };
}

/** Pans so that the position under the pointer follows it. */
export function moved(
  camera: ProjectorCamera,
  dx: number,
  dy: number,
  heightPx: number,
  flat: boolean,
): ProjectorCamera {
  const { right, up } = basisOf(camera, flat);
  const perPx = (2 * camera.distance * HALF) / Math.max(1, heightPx);
  const [a, b] = [-dx * perPx, dy * perPx];
  const at = (k: 0 | 1 | 2, was: number): number => Math.min(50, Math.max(-50, was + a * right[k] + b * up[k]));
  return { ...camera, x: at(0, camera.x), y: at(1, camera.y), z: at(2, camera.z) };
}

/** Zooms in if the factor is below 1. In a flat view, the position `dx`, `dy` from the center stays fixed. */
export function zoomed(
  camera: ProjectorCamera,
  factor: number,
  flat: boolean,
  dx = 0,
  dy = 0,
  heightPx = 1,
): ProjectorCamera {
  const distance = Math.min(FARTHEST, Math.max(NEAREST, camera.distance * factor));
  const next = { ...camera, distance };
  if (!flat) return next;
  const shift = (2 * HALF * (camera.distance - distance)) / Math.max(1, heightPx);
  return { ...next, x: camera.x + dx * shift, y: camera.y - dy * shift };
}

export type Lens = {
  readonly basis: Basis;
  readonly target: Vector;
  readonly eye: number;
  readonly focalPx: number;
  readonly flat: boolean;
  readonly width: number;
  readonly height: number;
};

export function lensOf(camera: ProjectorCamera, width: number, height: number, flat: boolean): Lens {
  return {
    basis: basisOf(camera, flat),
    target: [camera.x, camera.y, camera.z],
    eye: camera.distance,
    focalPx: height / 2 / HALF / (flat ? camera.distance : 1),
    flat,
    width,
    height,
  };
}

/** Returns pixels from the upper left corner and the distance from the eye; null if the point is behind the eye. */
export function projected(lens: Lens, x: number, y: number, z: number): Vector | null {
  const { right, up, back } = lens.basis;
  const [a, b, c] = [x - lens.target[0], y - lens.target[1], z - lens.target[2]];
  const depth = lens.flat ? 1 : lens.eye - (a * back[0] + b * back[1] + c * back[2]);
  if (depth < NEAREST / 4) return null;
  const scale = lens.focalPx / depth;
  return [
    lens.width / 2 + (a * right[0] + b * right[1] + c * right[2]) * scale,
    lens.height / 2 - (a * up[0] + b * up[1] + c * up[2]) * scale,
    depth,
  ];
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
