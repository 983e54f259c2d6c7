// Dots of the matrix, painted into memory cell by cell; the plot of a column with itself is how its values are spread.

import { drawStamp, fillBox, paint, pixelOf, type Raster, raster, type Stamp, stamp } from "./raster";
import { type Cell, type ScatterLayout, spreadPlaces, type Turned, xOf, yOf } from "./scatter_layout";

export type ScatterScene = {
  readonly layout: ScatterLayout;
  readonly ratio: number;
  readonly behind: Int32Array | null;
  readonly front: Int32Array;
  readonly shown: Uint8Array | null;
  readonly colorOf: (trial: number) => string;
  readonly turned: Turned;
  /** Changes when `turned` does. */
  readonly turns: readonly string[];
  readonly background: string;
  readonly grey: string;
  readonly accent: string;
};

const SLICE_MS = 10;

export type ScatterPicture = { readonly draw: (scene: ScatterScene) => void; readonly close: () => void };

export function scatterPicture(
  canvas: HTMLCanvasElement,
  onDrawn: (points: number, millis: number) => void,
): ScatterPicture {
  const context = canvas.getContext("2d", { alpha: false });
  let frame = 0;
  let kept: { readonly key: readonly unknown[]; readonly raster: Raster } | null = null;

  const behindOf = (scene: ScatterScene): Raster => {
    const { behind, layout, background, grey, turns } = scene;
    const key = [canvas.width, canvas.height, behind, layout, background, grey, turns];
    if (kept?.key.every((one, at) => one === key[at])) return kept.raster;
    const below = raster(canvas.width, canvas.height);
    below.pixels.fill(pixelOf(background));
    if (behind !== null) {
      const [dot, pixel] = [dotFor(behind.length, scene.ratio), pixelOf(grey)];
      for (const cell of layout.cells) {
        if (cell.x !== cell.y)
          drawDots(
            below,
            scene,
            cell,
            behind,
            dot,
            () => pixel,
            () => 70,
          );
      }
    }
    kept = { key, raster: below };
    return below;
  };

  const draw = (scene: ScatterScene): void => {
    cancelAnimationFrame(frame);
    if (context === null) return;
    const begin = performance.now();
    const { layout, ratio, front, shown } = scene;
    const [width, height] = [Math.round(layout.widthPx * ratio), Math.round(layout.heightPx * ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const picture = raster(width, height);
    picture.pixels.set(behindOf(scene).pixels);
    const grey = pixelOf(scene.grey);
    // by trial: the same for all cells
    const colors = new Map<number, number>();
    for (const trial of front) colors.set(trial, shown?.[trial] === 0 ? grey : pixelOf(scene.colorOf(trial)));
    const strength = front.length > 2000 ? 150 : 220;
    const dot = dotFor(front.length, ratio);
    let at = 0;
    const slice = (): void => {
      const until = performance.now() + SLICE_MS;
      while (at < layout.cells.length && performance.now() < until) {
        const cell = layout.cells[at++];
        if (cell === undefined) continue;
        if (cell.x === cell.y) drawSpread(picture, scene, cell);
        else {
          const shareOf = (trial: number): number => (shown?.[trial] === 0 ? 60 : strength);
          drawDots(picture, scene, cell, front, dot, (trial) => colors.get(trial) ?? grey, shareOf);
        }
      }
      paint(context, picture);
      if (at < layout.cells.length) frame = requestAnimationFrame(slice);
      else onDrawn(front.length, performance.now() - begin);
    };
    slice();
  };
  return { draw, close: () => cancelAnimationFrame(frame) };
}

function dotFor(count: number, ratio: number): Stamp {
  return stamp((count > 3000 ? 1 : count > 400 ? 1.8 : count > 60 ? 2.6 : 3.4) * ratio);
}

function drawDots(
  picture: Raster,
  { turned, ratio }: ScatterScene,
  cell: Cell,
  trials: Int32Array,
  dot: Stamp,
  colorOf: (trial: number) => number,
  shareOf: (trial: number) => number,
): void {
  const [across, up] = [spreadPlaces(cell.x), spreadPlaces(cell.y)];
  for (const trial of trials) {
    const [x, y] = [across[trial] ?? Number.NaN, up[trial] ?? Number.NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    const [xPx, yPx] = [xOf(cell, x, turned) * ratio, yOf(cell, y, turned) * ratio];
    drawStamp(picture, dot, xPx, yPx, colorOf(trial), shareOf(trial));
  }
}

const BINS = 24;

function drawSpread(picture: Raster, { turned, ratio, front, behind, grey, accent }: ScatterScene, cell: Cell): void {
  const all = binned(cell, behind ?? front);
  const most = Math.max(1, ...all);
  const parts =
    behind === null
      ? [{ bins: all, color: accent }]
      : [
          { bins: all, color: grey },
          { bins: binned(cell, front), color: accent },
        ];
  for (const { bins, color } of parts) {
    for (const [bin, count] of bins.entries()) {
      const edges = [xOf(cell, bin / BINS, turned), xOf(cell, (bin + 1) / BINS, turned)].sort((a, b) => a - b);
      const floor = cell.topPx + cell.heightPx - 7;
      const top = floor - (count / most) * (cell.heightPx - 14);
      fillBox(
        picture,
        ((edges[0] ?? 0) + 0.5) * ratio,
        top * ratio,
        ((edges[1] ?? 0) - 0.5) * ratio,
        floor * ratio,
        pixelOf(color),
        color === grey ? 90 : 170,
      );
    }
  }
}

function binned({ x }: Cell, trials: Int32Array): readonly number[] {
  const bins = new Array<number>(BINS).fill(0);
  for (const trial of trials) {
    const place = x.places[trial] ?? Number.NaN;
    if (Number.isNaN(place)) continue;
    const bin = Math.min(BINS - 1, Math.floor(place * BINS));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}

/** The dot of a cell nearest to a place, at most so far away; -1 for none. */
export function nearestDot(
  cell: Cell,
  trials: Int32Array,
  turned: Turned,
  xPx: number,
  yPx: number,
  reachPx: number,
): number {
  const [across, up] = [spreadPlaces(cell.x), spreadPlaces(cell.y)];
  let [best, least] = [-1, reachPx * reachPx];
  for (const trial of trials) {
    const dx = xOf(cell, across[trial] ?? Number.NaN, turned) - xPx;
    const dy = yOf(cell, up[trial] ?? Number.NaN, turned) - yPx;
    const far = dx * dx + dy * dy;
    if (far < least) [best, least] = [trial, far];
  }
  return best;
}
