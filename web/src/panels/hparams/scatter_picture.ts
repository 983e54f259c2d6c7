// Rasterizes the dots of the matrix cell by cell; the cell of a column with itself shows a histogram of its values.

import { drawStamp, fillBox, paint, pixelOf, type Raster, raster, type Stamp, stamp } from "./raster";
import { sampled } from "./samples";
import { type Cell, cellScale, type ScatterLayout, spreadPlaces, type Turned, xOf } from "./scatter_layout";
import { keptRaster, slicedDrawing } from "./sliced_drawing";

export type ScatterScene = {
  readonly layout: ScatterLayout;
  readonly ratio: number;
  /** All trials that are listed. */
  readonly behind: Int32Array;
  /** A brush is active: the trials outside of it are gray in the background. */
  readonly brushed: boolean;
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

// a sample of this many dots is enough for the background
const MOST_BEHIND = 2000;

export type ScatterPicture = { readonly draw: (scene: ScatterScene) => void; readonly close: () => void };

export function scatterPicture(
  canvas: HTMLCanvasElement,
  onDrawn: (points: number, millis: number) => void,
): ScatterPicture {
  const context = canvas.getContext("2d", { alpha: false });
  const drawing = slicedDrawing();
  const kept = keptRaster();
  /** Returns all dots in gray; cached while only the brush moves. */
  const behindOf = (scene: ScatterScene): Raster => {
    const { behind, layout, background, grey, turns } = scene;
    const key = [canvas.width, canvas.height, behind, layout, background, grey, turns];
    return kept(key, () => greyDots(scene, canvas.width, canvas.height));
  };
  const draw = (scene: ScatterScene): void => {
    drawing.stop();
    if (context === null) return;
    const begin = performance.now();
    const { layout, ratio, front, brushed } = scene;
    const [width, height] = [Math.round(layout.widthPx * ratio), Math.round(layout.heightPx * ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const picture = brushed ? raster(width, height) : blank(scene, width, height);
    if (brushed) picture.pixels.set(behindOf(scene).pixels);
    const look = lookOf(scene, width);
    drawing.start({
      pieces: layout.cells.length,
      draw: (at) => {
        const cell = layout.cells[at];
        if (cell === undefined) return;
        if (cell.x === cell.y) drawSpread(picture, scene, cell);
        else drawDots(picture, scene, cell, front, look);
      },
      show: () => paint(context, picture),
      done: () => {
        onDrawn(front.length, performance.now() - begin);
        // prepared when idle, so that the first brush does not wait for it
        if (!brushed) drawing.later(() => behindOf(scene));
      },
    });
  };
  return { draw, close: drawing.stop };
}

function blank({ background }: ScatterScene, width: number, height: number): Raster {
  const made = raster(width, height);
  made.pixels.fill(pixelOf(background));
  return made;
}

function greyDots(scene: ScatterScene, width: number, height: number): Raster {
  const { behind, layout, grey, ratio } = scene;
  const below = blank(scene, width, height);
  const [dot, pixel] = [dotFor(behind.length, ratio, width, 70), pixelOf(grey)];
  const some = sampled(behind, MOST_BEHIND);
  for (const cell of layout.cells) {
    if (cell.x !== cell.y) drawDots(below, scene, cell, some, (trial) => trial >= 0 && { dot, pixel });
  }
  return below;
}

/** Returns the dots of trials in the foreground; colors are computed once for all cells. */
function lookOf({ front, shown, ratio, colorOf, grey }: ScatterScene, width: number): Look {
  const behind = pixelOf(grey);
  const colors = new Map<number, number>();
  for (const trial of front) colors.set(trial, shown?.[trial] === 0 ? behind : pixelOf(colorOf(trial)));
  const strong = dotFor(front.length, ratio, width, front.length > 2000 ? 150 : 220);
  const dim = dotFor(front.length, ratio, width, 60);
  return (trial) => ({ dot: shown?.[trial] === 0 ? dim : strong, pixel: colors.get(trial) ?? behind });
}

function dotFor(count: number, ratio: number, width: number, share: number): Stamp {
  return stamp((count > 3000 ? 1 : count > 400 ? 1.8 : count > 60 ? 2.6 : 3.4) * ratio, width, share);
}

type Look = (trial: number) => { readonly dot: Stamp; readonly pixel: number } | false;

function drawDots(picture: Raster, { turned, ratio }: ScatterScene, cell: Cell, trials: Int32Array, look: Look): void {
  const [across, up] = [spreadPlaces(cell.x), spreadPlaces(cell.y)];
  const { x0, xSpan, y0, ySpan } = cellScale(cell, turned);
  for (const trial of trials) {
    const [x, y] = [across[trial] ?? Number.NaN, up[trial] ?? Number.NaN];
    const own = Number.isNaN(x) || Number.isNaN(y) ? false : look(trial);
    if (own !== false) drawStamp(picture, own.dot, (x0 + x * xSpan) * ratio, (y0 + y * ySpan) * ratio, own.pixel);
  }
}

const BINS = 24;

function drawSpread(
  picture: Raster,
  { turned, ratio, front, behind, brushed, grey, accent }: ScatterScene,
  cell: Cell,
): void {
  const all = binned(cell, brushed ? behind : front);
  const most = Math.max(1, ...all);
  const parts = !brushed
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

/** Returns the dot of a cell nearest to a position, within a maximum distance; -1 if there is none. */
export function nearestDot(
  cell: Cell,
  trials: Int32Array,
  turned: Turned,
  xPx: number,
  yPx: number,
  reachPx: number,
): number {
  const [across, up] = [spreadPlaces(cell.x), spreadPlaces(cell.y)];
  const { x0, xSpan, y0, ySpan } = cellScale(cell, turned);
  let [best, least] = [-1, reachPx * reachPx];
  for (const trial of trials) {
    const dx = x0 + (across[trial] ?? Number.NaN) * xSpan - xPx;
    const dy = y0 + (up[trial] ?? Number.NaN) * ySpan - yPx;
    const far = dx * dx + dy * dy;
    if (far < least) [best, least] = [trial, far];
  }
  return best;
}
