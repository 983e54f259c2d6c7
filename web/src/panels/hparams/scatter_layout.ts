// Cells of the matrix of scatter plots: a row per metric, a column per shown column.

import type { TrialColumn } from "../../state/trials_columns";
import type { TrialAxis } from "../../state/trials_scales";
import { scatterOf } from "./parallel_layout";

export type Cell = {
  readonly x: TrialAxis;
  readonly y: TrialAxis;
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
};

export type ScatterLayout = {
  readonly cells: readonly Cell[];
  readonly columns: readonly TrialAxis[];
  readonly rows: readonly TrialAxis[];
  readonly widthPx: number;
  readonly heightPx: number;
  readonly cellPx: { readonly width: number; readonly height: number };
};

export const EDGES = { leftPx: 84, topPx: 4, bottomPx: 24, rightPx: 12, gapPx: 10, padPx: 7 } as const;
const LEAST = { width: 112, height: 96 } as const;
const MOST_HEIGHT = 320;

/** Returns the metrics, or all numeric columns if there are none. */
export function rowsOf(columns: readonly TrialColumn[]): readonly TrialColumn[] {
  const metrics = columns.filter(({ role }) => role === "metric");
  return metrics.length > 0 ? metrics : columns.filter(({ kind, role }) => kind === "number" && role !== "fact");
}

export function scatterLayout(
  columns: readonly TrialAxis[],
  rows: readonly TrialAxis[],
  widthPx: number,
  heightPx: number,
): ScatterLayout {
  const { leftPx, topPx, bottomPx, rightPx, gapPx } = EDGES;
  const width = Math.max(LEAST.width, (widthPx - leftPx - rightPx) / Math.max(1, columns.length) - gapPx);
  const room = (heightPx - topPx - bottomPx) / Math.max(1, rows.length) - gapPx;
  const height = Math.max(LEAST.height, Math.min(MOST_HEIGHT, room));
  const cells = rows.flatMap((y, row) =>
    columns.map((x, column) => ({
      x,
      y,
      leftPx: leftPx + column * (width + gapPx),
      topPx: topPx + row * (height + gapPx),
      widthPx: width,
      heightPx: height,
    })),
  );
  return {
    cells,
    columns,
    rows,
    widthPx: Math.floor(leftPx + columns.length * (width + gapPx) + rightPx - gapPx),
    heightPx: Math.floor(topPx + rows.length * (height + gapPx) + bottomPx),
    cellPx: { width, height },
  };
}

export type Turned = (column: string) => boolean;

/** Returns the pixel position in a cell for a share of its axis. */
export function xOf({ x, leftPx, widthPx }: Cell, place: number, turned: Turned): number {
  const share = turned(x.column.id) ? 1 - place : place;
  return leftPx + EDGES.padPx + share * (widthPx - 2 * EDGES.padPx);
}

export function yOf({ y, topPx, heightPx }: Cell, place: number, turned: Turned): number {
  const share = turned(y.column.id) ? 1 - place : place;
  return topPx + heightPx - EDGES.padPx - share * (heightPx - 2 * EDGES.padPx);
}

export function placeOfX({ x, leftPx, widthPx }: Cell, px: number, turned: Turned): number {
  const share = Math.min(1, Math.max(0, (px - leftPx - EDGES.padPx) / (widthPx - 2 * EDGES.padPx)));
  return turned(x.column.id) ? 1 - share : share;
}

export function placeOfY({ y, topPx, heightPx }: Cell, px: number, turned: Turned): number {
  const share = Math.min(1, Math.max(0, (topPx + heightPx - EDGES.padPx - px) / (heightPx - 2 * EDGES.padPx)));
  return turned(y.column.id) ? 1 - share : share;
}

const CROWD = 30;
const ROOM = 0.6;

const spread = new WeakMap<TrialAxis, Float32Array>();

/** Returns shares along an axis by trial; points with the same text value are spread so that they do not overlap. */
export function spreadPlaces(axis: TrialAxis): Float32Array {
  const { scale, places, ticks } = axis;
  if (scale !== "places" || places.length <= CROWD) return places;
  let found = spread.get(axis);
  if (found === undefined) {
    const room = ROOM / Math.max(1, ticks.length);
    found = places.map((place, trial) => place + room * (scatterOf(trial) - 0.5));
    spread.set(axis, found);
  }
  return found;
}

/** Maps shares of the axes to pixels of a cell: offset and length. */
export type CellScale = { readonly x0: number; readonly xSpan: number; readonly y0: number; readonly ySpan: number };

export function cellScale(cell: Cell, turned: Turned): CellScale {
  const [x0, y0] = [xOf(cell, 0, turned), yOf(cell, 0, turned)];
  return { x0, xSpan: xOf(cell, 1, turned) - x0, y0, ySpan: yOf(cell, 1, turned) - y0 };
}
