// Computes how many points are drawn while the camera moves, so that a picture takes at most MOVING_MS. Pure functions.

// time limit for one picture during movement
const MOVING_MS = 26;
const FEWEST = 8000;
const FIRST_ON_PROCESSOR = 120_000;
const FIRST_ON_GPU = 1_000_000;

export type Pace = {
  /** Number of points drawn during movement. */
  readonly points: number;
  /** Upper limit; it is lowered permanently when the GPU falls behind. */
  readonly most: number;
};

export function firstPace(onGpu: boolean): Pace {
  return { points: onGpu ? FIRST_ON_GPU : FIRST_ON_PROCESSOR, most: Number.POSITIVE_INFINITY };
}

/** Returns the pace after a picture of `total` points that took `ms`. `behind`: the GPU still draws earlier ones. */
export function nextPace(pace: Pace, ms: number, total: number, behind: boolean): Pace {
  const { points } = pace;
  // permanently: points that appear and disappear would flicker
  const most = behind ? 0.75 * points : pace.most;
  const next = Math.min(most, points * Math.min(1.4, Math.max(0.5, MOVING_MS / Math.max(1, ms))));
  return { most, points: Math.max(FEWEST, Math.min(next, Math.max(points, total))) };
}

/** Returns n if every n-th point is drawn. */
export function strideOf({ points }: Pace, total: number): number {
  return Math.max(1, Math.ceil(total / points));
}
