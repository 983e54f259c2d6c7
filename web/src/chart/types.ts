// The content of a chart as plain data, which the page sends to the drawing worker by structured clone. Lengths ending
// in Px are CSS pixels; x and y without it are values on the axes.

import type { Language } from "../base/locale";
import type { LineLook } from "./scene";

export type ScaleKind = "linear" | "log" | "symlog";

/** relative: seconds; wall: seconds since 1970. */
export type AxisFormat = "number" | "step" | "relative" | "wall";

export type Axis = {
  readonly scale: ScaleKind;
  readonly lo: number;
  readonly hi: number;
  readonly format: AxisFormat;
  /** symlog only: the axis is linear below this absolute value; 1 by default. */
  readonly constant?: number;
};

export type Range = { readonly lo: number; readonly hi: number };

export type SeriesStyle = {
  readonly color: string;
  /** 0 is solid, 1 and up are dash patterns. */
  readonly dash: number;
  readonly widthPx: number;
  readonly visible: boolean;
};

/** One response of /api/scalars; after addLayer the worker keeps its arrays under `id`. */
export type Layer = {
  readonly id: number;
  /** Per series, as header.run. Reuse the same array while nothing changes: it is then not sent again. */
  readonly styles: readonly SeriesStyle[];
  /** Per entry of header.groups. If the width is 0, only the area is drawn. */
  readonly bands: readonly SeriesStyle[];
  /** Draw only these lines of the frame: while the smoothing changes, raw and smoothed lines come from two frames. */
  readonly part?: "raw" | "smoothed" | undefined;
  /** Preliminary lines, while a slider moves: they are drawn with half the pixels on x. */
  readonly coarse?: boolean | undefined;
  /** Draw the newest point of each line as a dot, even if the scene draws no dots: for lines of one point. */
  readonly dots?: boolean | undefined;
};

export type Selection =
  | { readonly kind: "step"; readonly at: number }
  | { readonly kind: "range"; readonly lo: number; readonly hi: number };

/** Taken from the page's CSS custom properties; a worker cannot read those. */
export type ChartColors = {
  readonly background: string;
  readonly text: string;
  readonly quiet: string;
  readonly grid: string;
  readonly axis: string;
  readonly accent: string;
};

export type Scene = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  readonly x: Axis;
  readonly y: Axis;
  readonly layers: readonly Layer[];
  readonly lines: LineLook;
  readonly selection: Selection | null;
  /** x as a value on the axis, shared between cards. */
  readonly crosshair: number | null;
  readonly emphasised: { readonly layer: number; readonly series: number } | null;
  readonly colors: ChartColors;
  /** A CSS font with its size in px, such as `11px system-ui, sans-serif`. */
  readonly font: string;
  readonly locale: Language;
};

export type PickOrder = "nearest" | "nearest-y" | "ascending" | "descending" | "none";

/** The point of one line that is nearest to the cursor on x. */
export type Picked = {
  /** The layer's id. */
  readonly layer: number;
  /** Index in the layer's styles; -1 for a band. */
  readonly series: number;
  /** Index in the layer's bands, if this is one. */
  readonly band?: number;
  readonly x: number;
  readonly y: number;
  readonly xPx: number;
  readonly yPx: number;
  readonly distancePx: number;
};

export type Picks = { readonly total: number; readonly rows: readonly Picked[] };

export type Legend = {
  readonly title: string;
  readonly entries: readonly { readonly name: string; readonly color: string; readonly dash: number }[];
};

/** The detail of the event `lightboard:drawn` on the document. */
export type Drawn = {
  readonly chart: number;
  readonly layers: readonly number[];
  /** false: an older drawing was moved and scaled; the exact one follows. */
  readonly crisp: boolean;
  readonly millis: number;
};

export interface Chart {
  /** Transfers the buffer: it is empty afterwards. */
  addLayer(id: number, frame: ArrayBuffer): void;
  removeLayer(id: number): void;
  /** Only the newest scene is drawn; older ones that still wait are skipped. */
  draw(scene: Scene): void;
  pick(at: { readonly xPx: number; readonly yPx: number }, order: PickOrder, limit: number): Promise<Picks>;
  /** The picture includes title and legend, and has the size of the scene times `scale`, or is wider. */
  picture(scene: Scene, legend: Legend, kind: "png" | "svg", scale: number): Promise<Blob>;
  close(): void;
}
