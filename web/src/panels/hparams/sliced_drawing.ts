// Drawing of very many things into memory, a slice of a frame at a time, so that the page stays responsive; and the layer
// below them, which is kept while only the brush moves.

import { giveUpIdle, whenIdle } from "./idle";
import type { Raster } from "./raster";

// the first answer to a brush may take longer than a frame: it shows most of what is to come
const FIRST_SLICE_MS = 28;
const SLICE_MS = 11;

type Work = {
  readonly pieces: number;
  readonly draw: (piece: number) => void;
  /** After each slice. */
  readonly show: () => void;
  /** After the last slice. */
  readonly done: () => void;
};

export type SlicedDrawing = {
  /** Instead of the work before. */
  readonly start: (work: Work) => void;
  /** For when there is nothing better to do; given up by the next start. */
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

/** The last raster again while the parts of its key are the same. */
export function keptRaster(): (key: readonly unknown[], make: () => Raster) => Raster {
  let kept: { readonly key: readonly unknown[]; readonly raster: Raster } | null = null;
  return (key, make) => {
    const same = kept !== null && kept.key.length === key.length && kept.key.every((part, at) => part === key[at]);
    if (kept !== null && same) return kept.raster;
    kept = { key, raster: make() };
    return kept.raster;
  };
}
