// Converts the coordinates of a layout for drawing: three per point, centered, scaled to a distance of at most 1.

export type Cloud = {
  readonly rows: number;
  readonly dims: number;
  /** x, y, z of each row; NaN if the layout has no position for it. */
  readonly positions: Float32Array;
  /** Transformation from layout to positions: (value - middle) * scale, with the same scale for each axis. */
  readonly middle: readonly [number, number, number];
  readonly scale: number;
};

/** Share of points that may be farther than 1, so that a few outliers do not shrink the rest to a dot. */
const STRAY = 0.002;

/** `only`: the points that are scaled to fill the space; the others keep their relative positions. */
export function cloudOf(coordinates: Float32Array, rows: number, dims: number, only: Uint32Array | null = null): Cloud {
  const positions = new Float32Array(3 * rows);
  const shown = only === null ? coordinates : picked(coordinates, dims, only);
  const count = shown.length / dims;
  const middle = [0, 1, 2].map((axis) => (axis < dims ? meanOf(shown, count, dims, axis) : 0)) as [
    number,
    number,
    number,
  ];
  const reach = reachOf(shown, count, dims, middle);
  const scale = reach > 0 ? 1 / reach : 1;
  for (let row = 0; row < rows; row++) {
    for (let axis = 0; axis < 3; axis++) {
      const value = axis < dims ? (coordinates[row * dims + axis] ?? 0) : 0;
      positions[3 * row + axis] = axis < dims ? (value - (middle[axis] ?? 0)) * scale : 0;
    }
    if (!Number.isFinite((positions[3 * row] ?? 0) + (positions[3 * row + 1] ?? 0) + (positions[3 * row + 2] ?? 0))) {
      positions[3 * row] = Number.NaN;
    }
  }
  return { rows, dims, positions, middle, scale };
}

/** Expands coordinates of some rows to all rows; the others get NaN. */
export function spread(some: Float32Array, dims: number, rows: Uint32Array, total: number): Float32Array {
  const all = new Float32Array(dims * total).fill(Number.NaN);
  rows.forEach((row, at) => {
    if (row < total) all.set(some.subarray(dims * at, dims * (at + 1)), dims * row);
  });
  return all;
}

function picked(coordinates: Float32Array, dims: number, rows: Uint32Array): Float32Array {
  const some = new Float32Array(dims * rows.length);
  rows.forEach((row, at) => {
    some.set(coordinates.subarray(dims * row, dims * (row + 1)), dims * at);
  });
  return some;
}

function meanOf(coordinates: Float32Array, rows: number, dims: number, axis: number): number {
  let sum = 0;
  let count = 0;
  for (let at = axis; at < rows * dims; at += dims) {
    const value = coordinates[at] ?? 0;
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
  }
  return count > 0 ? sum / count : 0;
}

/** Returns the distance from the center within which nearly all points are. */
function reachOf(coordinates: Float32Array, rows: number, dims: number, middle: readonly number[]): number {
  const far = new Float32Array(rows);
  let count = 0;
  let farthest = 0;
  for (let row = 0; row < rows; row++) {
    let square = 0;
    for (let axis = 0; axis < Math.min(3, dims); axis++) {
      const part = (coordinates[row * dims + axis] ?? 0) - (middle[axis] ?? 0);
      square += part * part;
    }
    if (!Number.isFinite(square)) continue;
    far[count++] = square;
    farthest = Math.max(farthest, square);
  }
  if (farthest === 0) return 0;
  const bins = new Uint32Array(2048);
  for (let i = 0; i < count; i++) {
    const bin = Math.min(2047, Math.floor((2048 * Math.sqrt(far[i] ?? 0)) / Math.sqrt(farthest)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  let outside = 0;
  let bin = 2047;
  for (; bin > 0; bin--) {
    outside += bins[bin] ?? 0;
    if (outside > STRAY * count) break;
  }
  return ((bin + 1) / 2048) * Math.sqrt(farthest);
}

/** Returns the radius of points in CSS pixels; it is smaller for many points. */
export function radiusFor(count: number): number {
  if (count <= 200) return 5;
  return Math.max(0.9, 5 - 1.12 * Math.log10(count / 200));
}
