// The one place where pictures of meshes are made: with WebGL where the browser has it, by the processor where it has
// not, or has lost it.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Drawing, Model } from "./drawing";
import type { GlStage } from "./gl_stage";
import { drawPlain } from "./plain_stage";

export type StageKind = "webgl" | "plain";
export type Painter = "auto" | "webgl" | "plain";

/** Null until it is known what this browser can do. */
const kind = signal<StageKind | null>(null);
export const stageKind: ReadonlySignal<StageKind | null> = kind;

type Graphics = {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
  /** The processor does what a graphics card should. */
  readonly imitated: boolean;
};

/** The only context of the page; null where the browser has none, undefined before it was asked. */
let graphics: Graphics | null | undefined;
let gl: GlStage | null = null;
let wished: Painter = "auto";
let loading = false;

/**
 * Choose who draws, as the reader wishes. Left to itself, a browser that imitates a graphics card is not taken at its
 * word: a million points take it seconds, and our own way a tenth of one.
 */
export function prepareStage(wish: Painter): void {
  wished = wish;
  settle();
}

function settle(): void {
  if (wished !== "plain" && graphics === undefined) graphics = findGraphics();
  const usable = graphics && !graphics.context.isContextLost() && !(wished === "auto" && graphics.imitated);
  if (wished === "plain" || !graphics || !usable) kind.value = "plain";
  else if (gl !== null) kind.value = "webgl";
  else load(graphics);
}

function findGraphics(): Graphics | null {
  const canvas = document.createElement("canvas");
  const options: WebGLContextAttributes = { antialias: true, alpha: false, powerPreference: "high-performance" };
  const context = canvas.getContext("webgl2", options);
  if (context === null) return null;
  canvas.addEventListener("webglcontextlost", (event) => {
    // without this it would never come back
    event.preventDefault();
    settle();
  });
  canvas.addEventListener("webglcontextrestored", settle);
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  return { canvas, context, imitated: /swiftshader|llvmpipe|software|basic render/i.test(String(name)) };
}

function load({ canvas, context }: Graphics): void {
  if (loading) return;
  loading = true;
  import("./gl_stage")
    .then((module) => {
      gl = module.glStage(canvas, context);
    })
    .catch(() => {
      // its file is not to be had: the other way needs none
      graphics = null;
    })
    .finally(() => {
      loading = false;
      settle();
    });
}

/** How many vertices were drawn. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): number {
  if (kind.peek() === "webgl" && gl !== null) return gl.draw(context, drawing);
  return drawPlain(context, drawing);
}

export function release(model: Model): void {
  gl?.release(model);
}
