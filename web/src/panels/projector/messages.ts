// What the page tells the drawing worker, and what it hears back.

import type { PROJECTOR_PAINTERS, ProjectorCamera } from "../../state/members/projector";

/** What everything looks like; colours as "#rrggbb". */
export type Look = {
  readonly background: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly accent: string;
  /** Of points without a colour of their own. */
  readonly plain: string;
  /** Of points that are not marked, while others are. */
  readonly faded: string;
  readonly font: string;
  /** All points have their labels. */
  readonly labels: boolean;
  readonly images: boolean;
  /** Times the size that follows from their number. */
  readonly pointSize: number;
  /** Who draws points; "auto": the GPU ("card"), where there is one. */
  readonly painter: (typeof PROJECTOR_PAINTERS)[number];
  /** Names of the axes; "" for none. */
  readonly axes: readonly [string, string, string];
};

/** A colour for each row: its place in a palette, or where its number lies in a range. */
export type Coloring =
  | { readonly kind: "none" }
  | { readonly kind: "codes"; readonly codes: Int32Array; readonly palette: readonly string[] }
  | {
      readonly kind: "numbers";
      readonly numbers: Float32Array | Float64Array;
      readonly lo: number;
      readonly hi: number;
      /** From the lowest to the highest, evenly. */
      readonly palette: readonly string[];
    };

export type Marks = {
  readonly selected: Uint32Array;
  /** Nearest first; coloured by their place. */
  readonly neighbors: Uint32Array;
  /** -1: none. */
  readonly hovered: number;
  /** Only these are shown; null: all. */
  readonly only: Uint32Array | null;
};

export type ToWorker =
  | { readonly type: "canvas"; readonly points: OffscreenCanvas; readonly overlay: OffscreenCanvas }
  | { readonly type: "size"; readonly width: number; readonly height: number; readonly ratio: number }
  /** A frame of the server with `coordinates`, or without: then nothing changes. `rows`: whose they are, of `total`. */
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
  /** A picture is on the canvas. */
  | {
      readonly type: "drawn";
      readonly key: string;
      readonly points: number;
      readonly rows: number;
      readonly ms: number;
      readonly moving: boolean;
      readonly frames: number;
      /** Who drew it. */
      readonly by: "card" | "processor";
    }
  /** The point at a place, -1 for none, and where it is in CSS pixels. */
  | { readonly type: "picked"; readonly question: number; readonly row: number; readonly x: number; readonly y: number }
  | { readonly type: "boxed"; readonly question: number; readonly rows: Uint32Array }
  | { readonly type: "picture"; readonly question: number; readonly blob: Blob | null }
  /** Labels of these are to be drawn and not known. */
  | { readonly type: "wanted"; readonly rows: readonly number[] };
