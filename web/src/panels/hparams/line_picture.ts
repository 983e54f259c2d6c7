// Lines over parallel axes. A few are strokes of a canvas; very many are painted into memory (raster.ts), a slice of a
// frame at a time and in no particular order, so that what is there after the first slice already looks like the whole.
// What does not stand out is a layer of its own, painted once and copied below the rest while a brush moves.

import { giveUpIdle, whenIdle } from "./idle";
import { drawLine, paint, pixelOf, type Raster, raster } from "./raster";
import { sampled, shuffled } from "./samples";

export type LineScene = {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
  /** Where axes stand, and where on each a trial's line passes, by trial. */
  readonly xs: readonly number[];
  readonly ys: readonly Float32Array[];
  /** All trials that are listed. */
  readonly behind: Int32Array;
  /** Some of them stand out: the others are grey behind them. */
  readonly brushed: boolean;
  /** Lines in their colours. */
  readonly front: Int32Array;
  /** 0: drawn as if behind; null for none. */
  readonly shown: Uint8Array | null;
  readonly colorOf: (trial: number) => string;
  readonly background: string;
  readonly grey: string;
};

// beyond so many strokes a canvas takes longer than a frame
const MOST_STROKES = 800;
// the first answer to a brush may take longer than a frame: it shows most of what is to come
const FIRST_SLICE_MS = 28;
const SLICE_MS = 11;
// lines between two looks at the clock
const STRIDE = 64;

export type LinePicture = {
  readonly draw: (scene: LineScene) => void;
  readonly close: () => void;
};

/** `onDrawn`: all of the newest scene is on the canvas. */
export function linePicture(canvas: HTMLCanvasElement, onDrawn: (lines: number, millis: number) => void): LinePicture {
  const context = canvas.getContext("2d", { alpha: false });
  let frame = 0;
  let idle = 0;
  let kept: { readonly key: readonly unknown[]; readonly raster: Raster } | null = null;

  const resize = ({ widthPx, heightPx, ratio }: LineScene): void => {
    const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  };

  const draw = (scene: LineScene): void => {
    cancelAnimationFrame(frame);
    giveUpIdle(idle);
    if (context === null) return;
    const begin = performance.now();
    resize(scene);
    if ((scene.brushed ? scene.behind.length : 0) + scene.front.length <= MOST_STROKES) {
      strokeAll(context, scene);
      onDrawn(scene.front.length, performance.now() - begin);
      return;
    }
    const picture = scene.brushed ? raster(canvas.width, canvas.height) : blank(scene);
    if (scene.brushed) picture.pixels.set(behindOf(scene).pixels);
    const order = shuffled(scene.front);
    const strength = shareFor(scene.front.length);
    let at = 0;
    const slice = (forMs: number): void => {
      const until = performance.now() + forMs;
      while (at < order.length && performance.now() < until) {
        const end = Math.min(order.length, at + STRIDE);
        for (; at < end; at++) drawTrial(picture, scene, order[at] ?? 0, strength);
      }
      paint(context, picture);
      if (at < order.length) frame = requestAnimationFrame(() => slice(SLICE_MS));
      else {
        onDrawn(order.length, performance.now() - begin);
        // the first brush should not have to wait for it
        if (!scene.brushed) idle = whenIdle(() => behindOf(scene));
      }
    };
    slice(FIRST_SLICE_MS);
  };

  const blank = ({ background }: LineScene): Raster => {
    const made = raster(canvas.width, canvas.height);
    made.pixels.fill(pixelOf(background));
    return made;
  };

  /** All lines in grey: the same picture for as long as only the brush moves. */
  const behindOf = (scene: LineScene): Raster => {
    const key = [canvas.width, canvas.height, scene.behind, scene.background, scene.grey, ...scene.xs, ...scene.ys];
    if (kept !== null && kept.key.length === key.length && kept.key.every((one, at) => one === key[at])) {
      return kept.raster;
    }
    const below = blank(scene);
    const [grey, strength] = [pixelOf(scene.grey), Math.max(16, shareFor(scene.behind.length) >> 2)];
    for (const trial of sampled(scene.behind, MOST_BEHIND)) drawPath(below, scene, trial, grey, strength);
    kept = { key, raster: below };
    return below;
  };

  return {
    draw,
    close: () => {
      cancelAnimationFrame(frame);
      giveUpIdle(idle);
    },
  };
}

// so many are enough to tell where the others are
const MOST_BEHIND = 1500;

/** Of 256: many lines are thin, or the picture is one blot. */
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

/** The line nearest to a place, at most so far away; -1 for none. */
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
    // across the line, not straight down: steep lines are as near as flat ones
    const slope = (y1 - y0) / Math.max(1, x1 - x0);
    const far = Math.abs(y0 + share * (y1 - y0) - yPx) / Math.hypot(1, slope);
    if (far < least) [best, least] = [trial, far];
  }
  return best;
}
