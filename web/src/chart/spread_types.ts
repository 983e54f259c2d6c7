// Histograms and percentiles over time, as plain data for the worker that draws them. Arrays have an entry per step
// unless their comment says otherwise.

import type { Language } from "../base/locale";
import type { Axis, ChartColors, Range } from "./types";

export type HistogramData = {
  readonly kind: "histograms";
  /** Doubles are precise enough for drawing. */
  readonly steps: Float64Array;
  /** Seconds since 1970. */
  readonly walls: Float64Array;
  /** Buckets of step i are those from first[i] to first[i + 1]; one more entry than steps. */
  readonly first: Uint32Array;
  readonly lefts: Float64Array;
  readonly rights: Float64Array;
  readonly counts: Float64Array;
};

export type PercentileData = {
  readonly kind: "percentiles";
  readonly steps: Float64Array;
  readonly walls: Float64Array;
  /** Number of percentiles per step; `values` has them from the lowest to the highest. */
  readonly lines: number;
  readonly values: Float64Array;
};

export type SpreadData = HistogramData | PercentileData;

/** Ridges one behind the other, overlaid lines, a heat map, or percentiles as bands. */
export type SpreadLook = "offset" | "overlay" | "heat" | "percentiles";

export type TimeAxis = "step" | "relative" | "wall";

export type SpreadScene = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  readonly font: string;
  readonly locale: Language;
  readonly colors: ChartColors;
  /** The run's color, as #rrggbb. */
  readonly color: string;
  readonly look: SpreadLook;
  /** `origin`: seconds since 1970 at which the run's relative time begins. */
  readonly time: { readonly axis: TimeAxis; readonly origin: number };
  /** null: the whole range of the data. */
  readonly values: Range | null;
  readonly times: Range | null;
  /** Thirty even bins, or the buckets as they were logged. */
  readonly bins: "even" | "logged";
  readonly logCounts: boolean;
  /** Indices in the data: the hovered and the selected step. */
  readonly pointed: number | null;
  readonly chosen: number | null;
  /** Range on the time axis; steps outside of it are faded. */
  readonly within: Range | null;
};

/** The two axes as they were drawn; the page uses them to locate the pointer. */
export type SpreadAxes = {
  readonly x: Axis;
  readonly y: Axis;
  /** For ridges: the height of the highest one, as a share of the plot. 0 for other looks. */
  readonly rise: number;
};

export type SpreadDrawn = {
  readonly axes: SpreadAxes;
  /** Number of shown steps. */
  readonly steps: number;
  /** All counts are 0. */
  readonly empty: boolean;
};

export type SpreadPick = {
  /** Index in the data. */
  readonly at: number;
  /** The bin under the pointer; null for percentiles, and if the pointer is outside of all bins. */
  readonly bin: { readonly left: number; readonly right: number; readonly count: number } | null;
};

export type ToSpreadWorker =
  | { readonly type: "open"; readonly chart: number; readonly canvas: OffscreenCanvas | HTMLCanvasElement }
  | { readonly type: "data"; readonly chart: number; readonly data: SpreadData }
  | { readonly type: "draw"; readonly chart: number; readonly scene: SpreadScene }
  | {
      readonly type: "pick";
      readonly chart: number;
      readonly question: number;
      readonly xPx: number;
      readonly yPx: number;
    }
  | {
      readonly type: "picture";
      readonly chart: number;
      readonly question: number;
      readonly scene: SpreadScene;
      readonly title: string;
      readonly kind: "png" | "svg";
      readonly scale: number;
    }
  | { readonly type: "close"; readonly chart: number };

export type FromSpreadWorker =
  | { readonly type: "drawn"; readonly chart: number; readonly drawn: SpreadDrawn }
  | { readonly type: "picked"; readonly question: number; readonly pick: SpreadPick | null }
  | { readonly type: "picture"; readonly question: number; readonly picture: Blob }
  | { readonly type: "failed"; readonly question: number | null; readonly reason: string };
