// Messages between the page and the drawing worker, in both directions.

import type { PROJECTOR_PAINTERS, ProjectorCamera } from "../../state/members/projector";

/** Appearance settings; colors are "#rrggbb". */
export type Look = {
  readonly background: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  /** Color of points that have no color of their own. */
  readonly plain: string;
  /** Color of unmarked points while others are marked. */
  readonly faded: string;
  readonly font: string;
  /** Labels of all points are shown. */
  readonly labels: boolean;
  readonly images: boolean;
  /** Factor for the default size, which depends on the number of points. */
  readonly pointSize: number;
  /** Which painter draws points; "auto": the GPU ("card") if there is one. */
  readonly painter: (typeof PROJECTOR_PAINTERS)[number];
  /** Names of the axes; "" for none. */
  readonly axes: readonly [string, string, string];
};

/** A color for each row: an index into a palette, or a position between the lowest and highest number. */
export type Coloring =
  | { readonly kind: "none" }
  | { readonly kind: "codes"; readonly codes: Int32Array; readonly palette: readonly string[] }
  | {
      readonly kind: "numbers";
      readonly numbers: Float32Array | Float64Array;
      readonly lo: number;
      readonly hi: number;
      /** Colors from the lowest to the highest value, evenly spaced. */
      readonly palette: readonly string[];
    };

export type Marks = {
  readonly selected: Uint32Array;
  /** Nearest first; their color depends on this order. */
  readonly neighbors: Uint32Array;
  /** -1: none. */
  readonly hovered: number;
  /** Only these are shown; null: all. */
  readonly only: Uint32Array | null;
};

export type ToWorker =
  | { readonly type: "canvas"; readonly points: OffscreenCanvas; readonly overlay: OffscreenCanvas }
  | { readonly type: "size"; readonly width: number; readonly height: number; readonly ratio: number }
  /** A frame of the server; without `coordinates` nothing changes. `rows`: the rows they belong to, of `total`. */
  | {
      readonly type: "layout";
      readonly key: string;
      readonly frame: ArrayBuffer;
      readonly rows: Uint32Array | null;
      readonly total: number;
    }
  | { readonly type: "clear" }
  | { readonly type: "colors"; readonly coloring: Coloring }
  | { readonly type: "look"; readonly look: Look }
  | { readonly type: "camera"; readonly camera: ProjectorCamera; readonly flat: boolean; readonly moving: boolean }
  | { readonly type: "marks"; readonly marks: Marks }
  | { readonly type: "labels"; readonly texts: ReadonlyMap<number, string>; readonly fresh: boolean }
  | { readonly type: "sprite"; readonly sheet: ImageBitmap | null; readonly width: number; readonly height: number }
  | { readonly type: "pick"; readonly question: number; readonly x: number; readonly y: number }
  | { readonly type: "box"; readonly question: number; readonly box: readonly [number, number, number, number] }
  | { readonly type: "picture"; readonly question: number };

export type ToPage =
  /** A picture was drawn on the canvas. */
  | {
      readonly type: "drawn";
      readonly key: string;
      readonly points: number;
      readonly rows: number;
      readonly ms: number;
      readonly moving: boolean;
      readonly frames: number;
      /** The painter that drew it. */
      readonly by: "card" | "processor";
    }
  /** Result of a hit test: the row (-1: none) and its position in CSS pixels. */
  | { readonly type: "picked"; readonly question: number; readonly row: number; readonly x: number; readonly y: number }
  | { readonly type: "boxed"; readonly question: number; readonly rows: Uint32Array }
  | { readonly type: "picture"; readonly question: number; readonly blob: Blob | null }
  /** Rows whose labels must be drawn but are not known. */
  | { readonly type: "wanted"; readonly rows: readonly number[] };
