// Draws very many things into memory in slices, one per animation frame, so that the page stays responsive; and caches
// the background layer while only the brush moves.

import { giveUpIdle, whenIdle } from "./idle";
import type { Raster } from "./raster";

// the first slice after a brush may take longer than a frame, so that it shows most of the picture
const FIRST_SLICE_MS = 28;
const SLICE_MS = 11;

type Work = {
  readonly pieces: number;
  readonly draw: (piece: number) => void;
  /** Called after each slice. */
  readonly show: () => void;
  /** Called after the last slice. */
  readonly done: () => void;
};

export type SlicedDrawing = {
  /** Starts work and cancels the previous one. */
  readonly start: (work: Work) => void;
  /** Runs when the browser is idle; the next start cancels it. */
  readonly later: (prepare: () => void) => void;
  readonly stop: () => void;
};

export function slicedDrawing(): SlicedDrawing {
  let frame = 0;
  let idle = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    giveUpIdle(idle);
  };
  const start = ({ pieces, draw, show, done }: Work): void => {
    stop();
    let piece = 0;
    const slice = (forMs: number): void => {
      const until = performance.now() + forMs;
      while (piece < pieces && performance.now() < until) draw(piece++);
      show();
      if (piece < pieces) frame = requestAnimationFrame(() => slice(SLICE_MS));
      else done();
    };
    slice(FIRST_SLICE_MS);
  };
  const later = (prepare: () => void): void => {
    idle = whenIdle(prepare);
  };
  return { start, later, stop };
}

/** Returns a function that caches the last raster while the parts of its key are the same. */
export function keptRaster(): (key: readonly unknown[], make: () => Raster) => Raster {
  let kept: { readonly key: readonly unknown[]; readonly raster: Raster } | null = null;
  return (key, make) => {
    const same = kept !== null && kept.key.length === key.length && kept.key.every((part, at) => part === key[at]);
    if (kept !== null && same) return kept.raster;
    kept = { key, raster: make() };
    return kept.raster;
  };
}
