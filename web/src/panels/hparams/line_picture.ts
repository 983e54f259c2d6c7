// Draws lines over parallel axes. A few are canvas strokes; very many are rasterized in memory (raster.ts), in slices
// per animation frame and in random order, so that the first slice already looks like the whole picture. The gray lines
// of trials outside of the brush are a separate layer, which is cached while a brush moves.

import { drawLine, paint, pixelOf, type Raster, raster } from "./raster";
import { sampled, shuffled } from "./samples";
import { keptRaster, slicedDrawing } from "./sliced_drawing";

export type LineScene = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  /** Positions of the axes; `ys`: for each axis, where the line of each trial crosses it. */
  readonly xs: readonly number[];
  readonly ys: readonly Float32Array[];
  /** All trials that are listed. */
  readonly behind: Int32Array;
  /** A brush is active: the trials outside of it are gray in the background. */
  readonly brushed: boolean;
  /** Trials drawn in color. */
  readonly front: Int32Array;
  /** Trials with 0 are dimmed; null: none is. */
  readonly shown: Uint8Array | null;
  readonly colorOf: (trial: number) => string;
  readonly background: string;
  readonly grey: string;
};

// with more strokes a canvas takes longer than one frame
const MOST_STROKES = 800;
// lines drawn between two checks of the time limit
const STRIDE = 64;

export type LinePicture = {
  readonly draw: (scene: LineScene) => void;
  readonly close: () => void;
};

/** `onDrawn` is called when the newest scene is completely drawn. */
export function linePicture(canvas: HTMLCanvasElement, onDrawn: (lines: number, millis: number) => void): LinePicture {
  const context = canvas.getContext("2d", { alpha: false });
  const drawing = slicedDrawing();
  const kept = keptRaster();
  /** Returns all lines in gray; cached while only the brush moves. */
  const behindOf = (scene: LineScene): Raster => {
    const key = [canvas.width, canvas.height, scene.behind, scene.background, scene.grey, ...scene.xs, ...scene.ys];
    return kept(key, () => greyLines(scene, canvas));
  };
  const draw = (scene: LineScene): void => {
    drawing.stop();
    if (context === null) return;
    const begin = performance.now();
    resize(canvas, scene);
    if ((scene.brushed ? scene.behind.length : 0) + scene.front.length <= MOST_STROKES) {
      strokeAll(context, scene);
      onDrawn(scene.front.length, performance.now() - begin);
      return;
    }
    const picture = scene.brushed ? raster(canvas.width, canvas.height) : blank(scene, canvas);
    if (scene.brushed) picture.pixels.set(behindOf(scene).pixels);
    const order = shuffled(scene.front);
    const strength = shareFor(scene.front.length);
    drawing.start({
      pieces: Math.ceil(order.length / STRIDE),
      draw: (piece) => {
        const end = Math.min(order.length, (piece + 1) * STRIDE);
        for (let at = piece * STRIDE; at < end; at++) drawTrial(picture, scene, order[at] ?? 0, strength);
      },
      show: () => paint(context, picture),
      done: () => {
        onDrawn(order.length, performance.now() - begin);
        // prepared when idle, so that the first brush does not wait for it
        if (!scene.brushed) drawing.later(() => behindOf(scene));
      },
    });
  };
  return { draw, close: drawing.stop };
}

function resize(canvas: HTMLCanvasElement, { widthPx, heightPx, ratio }: LineScene): void {
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
}

function blank({ background }: LineScene, { width, height }: HTMLCanvasElement): Raster {
  const made = raster(width, height);
  made.pixels.fill(pixelOf(background));
  return made;
}

function greyLines(scene: LineScene, canvas: HTMLCanvasElement): Raster {
  const below = blank(scene, canvas);
  const [grey, strength] = [pixelOf(scene.grey), Math.max(16, shareFor(scene.behind.length) >> 2)];
  for (const trial of sampled(scene.behind, MOST_BEHIND)) drawPath(below, scene, trial, grey, strength);
  return below;
}

// a sample of this many lines is enough for the background
const MOST_BEHIND = 1500;

/** Returns the opacity (of 256): lower for many lines, so that they stay distinguishable. */
function shareFor(lines: number): number {
  return Math.round(Math.min(220, Math.max(40, 256 * (1500 / Math.max(1, lines)) ** 0.6)));
}

function drawTrial(picture: Raster, scene: LineScene, trial: number, strength: number): void {
  const dim = scene.shown !== null && scene.shown[trial] === 0;
  drawPath(picture, scene, trial, pixelOf(dim ? scene.grey : scene.colorOf(trial)), dim ? strength >> 2 : strength);
}

function drawPath(picture: Raster, { xs, ys, ratio }: LineScene, trial: number, color: number, strength: number): void {
  for (let axis = 1; axis < xs.length; axis++) {
    drawLine(
      picture,
      (xs[axis - 1] ?? 0) * ratio,
      (ys[axis - 1]?.[trial] ?? 0) * ratio,
      (xs[axis] ?? 0) * ratio,
      (ys[axis]?.[trial] ?? 0) * ratio,
      color,
      strength,
    );
  }
}

function strokeAll(context: CanvasRenderingContext2D, scene: LineScene): void {
  const { widthPx, heightPx, ratio, background, grey, behind, brushed, front, shown } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.globalAlpha = 1;
  context.fillStyle = background;
  context.fillRect(0, 0, widthPx, heightPx);
  context.lineJoin = "round";
  if (brushed) {
    context.globalAlpha = 0.22;
    context.lineWidth = 1;
    context.strokeStyle = grey;
    for (const trial of behind) strokeTrial(context, scene, trial);
  }
  const alpha = front.length > 200 ? 0.6 : 0.85;
  context.lineWidth = front.length > 200 ? 1.2 : 1.6;
  for (const trial of front) {
    const dim = shown !== null && shown[trial] === 0;
    context.globalAlpha = dim ? 0.3 : alpha;
    context.strokeStyle = dim ? grey : scene.colorOf(trial);
    strokeTrial(context, scene, trial);
  }
  context.globalAlpha = 1;
}

export function strokeTrial(
  context: CanvasRenderingContext2D,
  { xs, ys }: Pick<LineScene, "xs" | "ys">,
  trial: number,
): void {
  context.beginPath();
  for (let axis = 0; axis < xs.length; axis++) context.lineTo(xs[axis] ?? 0, ys[axis]?.[trial] ?? 0);
  context.stroke();
}

/** Returns the line nearest to a position, within a maximum distance; -1 if there is none. */
export function nearestLine(
  { xs, ys }: Pick<LineScene, "xs" | "ys">,
  trials: Int32Array,
  xPx: number,
  yPx: number,
  reachPx: number,
): number {
  const right = xs.findIndex((x) => x >= xPx);
  const axis = right < 0 ? xs.length - 1 : Math.max(1, right);
  const [x0, x1] = [xs[axis - 1] ?? 0, xs[axis] ?? 0];
  const [from, to] = [ys[axis - 1], ys[axis]];
  if (from === undefined || to === undefined) return -1;
  const share = x1 === x0 ? 0 : Math.min(1, Math.max(0, (xPx - x0) / (x1 - x0)));
  let [best, least] = [-1, reachPx];
  for (const trial of trials) {
    const [y0, y1] = [from[trial] ?? 0, to[trial] ?? 0];
    // perpendicular, not vertical distance: steep lines are as easy to hit as flat ones
    const slope = (y1 - y0) / Math.max(1, x1 - x0);
    const far = Math.abs(y0 + share * (y1 - y0) - yPx) / Math.hypot(1, slope);
    if (far < least) [best, least] = [trial, far];
  }
  return best;
}
