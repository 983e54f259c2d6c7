// Chooses the renderer of all meshes: WebGL, or the CPU if the browser has no WebGL or has lost its context.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Drawing, Model } from "./drawing";
import type { GlStage } from "./gl_stage";
import { drawPlain } from "./plain_stage";

export type StageKind = "webgl" | "plain";
export type Painter = "auto" | "webgl" | "plain";

/** Null until the renderer is chosen. */
const kind = signal<StageKind | null>(null);
export const stageKind: ReadonlySignal<StageKind | null> = kind;

type Graphics = {
  readonly canvas: HTMLCanvasElement;
  readonly context: WebGL2RenderingContext;
  /** The browser emulates WebGL on the CPU. */
  readonly imitated: boolean;
};

/** The only WebGL context of the page; null: the browser has none; undefined: not yet created. */
let graphics: Graphics | null | undefined;
let gl: GlStage | null = null;
let wished: Painter = "auto";
let loading = false;

/**
 * Chooses the renderer, as the user set it. By default emulated WebGL is not used: a million points take seconds with
 * it, and a tenth of a second with our own CPU renderer.
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
    // required, or the context would never be restored
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
      // the WebGL code cannot be loaded: draw with the CPU
      graphics = null;
    })
    .finally(() => {
      loading = false;
      settle();
    });
}

/** Returns how many vertices were drawn. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): number {
  if (kind.peek() === "webgl" && gl !== null) return gl.draw(context, drawing);
  return drawPlain(context, drawing);
}

export function release(model: Model): void {
  gl?.release(model);
}
