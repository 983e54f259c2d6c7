// Positions of the axes of parallel coordinates, and where lines cross them.

import type { TrialAxis } from "../../state/trials_scales";

/** Margins around the axes in pixels; `missingPx`: the row below for trials without a value. */
export const PLOT = { sidePx: 62, topPx: 14, missingPx: 18, bottomPx: 10, leastGapPx: 104 } as const;

export type AxisPlace = {
  readonly axis: TrialAxis;
  readonly xPx: number;
  readonly topPx: number;
  readonly bottomPx: number;
  readonly missingPx: number;
  readonly inverted: boolean;
  /** Some trial has no value: the row for missing values is shown. */
  readonly gaps: boolean;
};

export function axisPlaces(
  axes: readonly TrialAxis[],
  widthPx: number,
  heightPx: number,
  isInverted: (column: string) => boolean,
): readonly AxisPlace[] {
  const gapPx = axes.length < 2 ? 0 : (widthPx - 2 * PLOT.sidePx) / (axes.length - 1);
  const lowest = heightPx - PLOT.bottomPx;
  const anyGaps = axes.some(({ places }) => places.some(Number.isNaN));
  return axes.map((axis, at) => ({
    axis,
    xPx: PLOT.sidePx + at * gapPx,
    topPx: PLOT.topPx,
    bottomPx: anyGaps ? lowest - PLOT.missingPx : lowest,
    missingPx: lowest - 4,
    inverted: isInverted(axis.column.id),
    gaps: axis.places.some(Number.isNaN),
  }));
}

/** 0 is at the lower end, unless the axis is inverted. */
export function pxOf({ topPx, bottomPx, inverted }: AxisPlace, place: number): number {
  const share = inverted ? 1 - place : place;
  return bottomPx - share * (bottomPx - topPx);
}

export function placeAt({ topPx, bottomPx, inverted }: AxisPlace, px: number): number {
  const share = Math.min(1, Math.max(0, (bottomPx - px) / (bottomPx - topPx)));
  return inverted ? 1 - share : share;
}

// with more trials than this, lines through the same text value are spread a little to stay distinguishable
const CROWD = 60;
const ROOM = 0.5;

/** Returns where the line of each trial crosses an axis. */
export function linePlaces(place: AxisPlace): Float32Array {
  const { axis, missingPx } = place;
  const spread = axis.scale === "places" && axis.places.length > CROWD ? ROOM / Math.max(1, axis.ticks.length) : 0;
  return axis.places.map((at, trial) =>
    Number.isNaN(at) ? missingPx : pxOf(place, at + spread * (scatterOf(trial) - 0.5)),
  );
}

/** Returns a fixed number from 0 to 1 per trial: multiples of the golden ratio are evenly distributed. */
export function scatterOf(trial: number): number {
  return (trial * 0.6180339887498949) % 1;
}
