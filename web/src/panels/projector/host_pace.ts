// How many points are drawn while the camera moves: as many as can be drawn in time. Pure.

// what one picture in motion may take
const MOVING_MS = 26;
const FEWEST = 8000;
const FIRST_ON_PROCESSOR = 120_000;
const FIRST_ON_GPU = 1_000_000;

export type Pace = {
  /** Points drawn while something moves. */
  readonly points: number;
  /** Never more than this: a GPU that fell behind once gets fewer for good. */
  readonly most: number;
};

export function firstPace(onGpu: boolean): Pace {
  return { points: onGpu ? FIRST_ON_GPU : FIRST_ON_PROCESSOR, most: Number.POSITIVE_INFINITY };
}

/** After a picture in motion: it took `ms`, of `total` points; `behind`: the GPU has not finished earlier ones. */
export function nextPace(pace: Pace, ms: number, total: number, behind: boolean): Pace {
  const { points } = pace;
  // for good: points that come and go would flicker
  const most = behind ? 0.75 * points : pace.most;
  const next = Math.min(most, points * Math.min(1.4, Math.max(0.5, MOVING_MS / Math.max(1, ms))));
  return { most, points: Math.max(FEWEST, Math.min(next, Math.max(points, total))) };
}

/** Every how manieth point is drawn. */
export function strideOf({ points }: Pace, total: number): number {
  return Math.max(1, Math.ceil(total / points));
}
