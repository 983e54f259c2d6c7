// Computations for an orbiting camera: angles, target position and distance.

import type { MeshCamera } from "../../state/members/shared";

export type Vector = readonly [number, number, number];
export type Up = "y" | "z";

/** Unit vectors to the right, up and towards the camera. */
export type Basis = { readonly right: Vector; readonly up: Vector; readonly back: Vector };

/** Bounding box of the mesh. */
export type Bounds = {
  readonly lo: Vector;
  readonly hi: Vector;
  /** Distance of the farthest vertex from the center; default: half of the diagonal. */
  readonly reach?: number;
};

export type Lens = {
  /** Vertical field of view, in degrees. */
  readonly fov: number;
  /** Orthographic projection, without perspective. */
  readonly flat: boolean;
};

export const ANGLES = { theta: 0.6, phi: 1.15 };

const POLE = 1e-3;

export function basisOf({ theta, phi }: Pick<MeshCamera, "theta" | "phi">, up: Up): Basis {
  const [st, ct, sp, cp] = [Math.sin(theta), Math.cos(theta), Math.sin(phi), Math.cos(phi)];
  const turn = ([x, y, z]: Vector): Vector => (up === "y" ? [x, y, z] : [x, -z, y]);
  return {
    right: turn([ct, 0, -st]),
    up: turn([-cp * st, sp, -cp * ct]),
    back: turn([sp * st, cp, sp * ct]),
  };
}

export function centreOf({ lo, hi }: Bounds): Vector {
  return [(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2];
}

/** Radius of the bounds; positive even for a single point. */
export function radiusOf({ lo, hi, reach }: Bounds): number {
  const radius = reach ?? Math.hypot(hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]) / 2;
  return radius > 0 && Number.isFinite(radius) ? radius : Math.max(1e-6, Math.abs(lo[0]), 1);
}

/** Returns a camera at these angles that shows everything. `aspect`: width / height. */
export function fitTo(
  bounds: Bounds,
  angles: Pick<MeshCamera, "theta" | "phi">,
  lens: Lens,
  aspect: number,
): MeshCamera {
  const [x, y, z] = centreOf(bounds);
  const half = (lens.fov * Math.PI) / 360;
  const narrow = Math.atan(Math.tan(half) * Math.min(1, aspect || 1));
  // an orthographic projection needs no space for depth
  const distance = (1.04 * radiusOf(bounds)) / (lens.flat ? Math.tan(narrow) : Math.sin(narrow));
  return { theta: angles.theta, phi: angles.phi, x, y, z, distance };
}

/** Returns the angles from which a camera at `position` sees `target`. */
export function anglesTo(position: Vector, target: Vector, up: Up): Pick<MeshCamera, "theta" | "phi"> | null {
  const [a, b, c] = [position[0] - target[0], position[1] - target[1], position[2] - target[2]];
  const [x, y, z] = up === "y" ? [a, b, c] : [a, c, -b];
  const length = Math.hypot(x, y, z);
  if (!(length > 0)) return null;
  return { theta: Math.atan2(x, z), phi: within(Math.acos(y / length), POLE, Math.PI - POLE) };
}

export function rotated(camera: MeshCamera, dx: number, dy: number, heightPx: number): MeshCamera {
  const turn = (2 * Math.PI) / Math.max(1, heightPx);
  return {
    ...camera,
    theta: wrapped(camera.theta - dx * turn),
    phi: within(camera.phi - dy * turn, POLE, Math.PI - POLE),
  };
}

/** Pans: the position under the pointer follows the pointer. */
export function moved(
  camera: MeshCamera,
  dx: number,
  dy: number,
  heightPx: number,
  lens: Lens,
  upAxis: Up,
): MeshCamera {
  const { right, up } = basisOf(camera, upAxis);
  const perPx = (2 * camera.distance * Math.tan((lens.fov * Math.PI) / 360)) / Math.max(1, heightPx);
  const [a, b] = [-dx * perPx, dy * perPx];
  return {
    ...camera,
    x: camera.x + a * right[0] + b * up[0],
    y: camera.y + a * right[1] + b * up[1],
    z: camera.z + a * right[2] + b * up[2],
  };
}

/** A factor below 1 moves nearer, above 1 farther; the distance is limited. */
export function zoomed(camera: MeshCamera, factor: number, radius: number): MeshCamera {
  return { ...camera, distance: within(camera.distance * factor, radius * 1e-3, radius * 1e3) };
}

export type Projection = {
  /** Focal length: pixels from the center per unit at distance 1 (at any distance if orthographic). */
  readonly focalPx: number;
  readonly basis: Basis;
  readonly eyeDistance: number;
  readonly target: Vector;
  readonly flat: boolean;
};

export function projectionOf(camera: MeshCamera, lens: Lens, heightPx: number, up: Up): Projection {
  const half = Math.tan((lens.fov * Math.PI) / 360);
  return {
    focalPx: heightPx / 2 / half / (lens.flat ? camera.distance : 1),
    basis: basisOf(camera, up),
    eyeDistance: camera.distance,
    target: [camera.x, camera.y, camera.z],
    flat: lens.flat,
  };
}

/** Returns pixels from the center (y downwards) and the depth; null behind the camera. */
export function project(projection: Projection, x: number, y: number, z: number): Vector | null {
  const { basis, target, eyeDistance, focalPx, flat } = projection;
  const { right, up, back } = basis;
  const [a, b, c] = [x - target[0], y - target[1], z - target[2]];
  const depth = eyeDistance - (a * back[0] + b * back[1] + c * back[2]);
  if (!flat && depth <= eyeDistance * 1e-4) return null;
  const scale = flat ? focalPx : focalPx / depth;
  return [(a * right[0] + b * right[1] + c * right[2]) * scale, -(a * up[0] + b * up[1] + c * up[2]) * scale, depth];
}

function within(value: number, lo: number, hi: number): number {
  return Math.min(hi, Math.max(lo, value));
}

function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
