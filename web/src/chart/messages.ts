// Messages between the page and the drawing worker.

import type { Drawn, Layer, Legend, PickOrder, Picks, Scene, SeriesStyle } from "./types";

/** Each list of styles has a number. A list that was in the previous scene is sent as its number only. */
export type StylesNews = { readonly number: number; readonly list?: readonly SeriesStyle[] };

export type LayerNews = Omit<Layer, "styles" | "bands"> & { readonly styles: StylesNews; readonly bands: StylesNews };

export type SceneNews = Omit<Scene, "layers"> & { readonly layers: readonly LayerNews[] };

export type ToWorker =
  | { readonly type: "open"; readonly chart: number; readonly canvas: OffscreenCanvas | HTMLCanvasElement }
  | { readonly type: "add"; readonly chart: number; readonly id: number; readonly frame: ArrayBuffer }
  | { readonly type: "remove"; readonly chart: number; readonly id: number }
  | { readonly type: "draw"; readonly chart: number; readonly scene: SceneNews }
  | {
      readonly type: "pick";
      readonly chart: number;
      readonly question: number;
      readonly xPx: number;
      readonly yPx: number;
      readonly order: PickOrder;
      readonly limit: number;
    }
  | {
      readonly type: "picture";
      readonly chart: number;
      readonly question: number;
      readonly scene: Scene;
      readonly legend: Legend;
      readonly kind: "png" | "svg";
      readonly scale: number;
    }
  | { readonly type: "close"; readonly chart: number };

export type ToPage =
  | ({ readonly type: "drawn" } & Drawn)
  | { readonly type: "picked"; readonly question: number; readonly picks: Picks }
  | { readonly type: "picture"; readonly question: number; readonly picture: Blob }
  | { readonly type: "failed"; readonly question: number | null; readonly reason: string };
