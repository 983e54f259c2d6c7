// The one place where pictures of meshes are made: with WebGL where the browser has it, by the processor where it has
// not, or has lost it.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Drawing, Model } from "./drawing";
import type { GlStage } from "./gl_stage";
import { drawPlain } from "./plain_stage";

export type StageKind = "webgl" | "plain";

/** Null until it is known what this browser can do. */
const kind = signal<StageKind | null>(null);
export const stageKind: ReadonlySignal<StageKind | null> = kind;

export type Painter = "auto" | "webgl" | "plain";

let gl: GlStage | null = null;
let begun: Painter | null = null;

/**
 * Find out, again only when the reader wishes otherwise. Left to itself, a browser that imitates a graphics card with its
 * processor is not taken at its word: a million points take it seconds, and our own way a tenth of one.
 */
export function prepareStage(wish: Painter): void {
  if (begun === wish) return;
  begun = wish;
  if (wish === "plain" || (gl !== null && wish === "webgl")) {
    kind.value = wish;
    return;
  }
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", {
    antialias: true,
    alpha: false,
    powerPreference: "high-performance",
    failIfMajorPerformanceCaveat: wish === "auto",
  });
  if (context === null || (wish === "auto" && imitated(context))) {
    kind.value = "plain";
    return;
  }
  canvas.addEventListener("webglcontextlost", (event) => {
    // without this it would never come back
    event.preventDefault();
    kind.value = "plain";
  });
  canvas.addEventListener("webglcontextrestored", () => {
    kind.value = gl === null || begun === "plain" ? "plain" : "webgl";
  });
  import("./gl_stage").then(
    (module) => {
      gl = module.glStage(canvas, context);
      if (begun !== "plain") kind.value = "webgl";
    },
    () => {
      kind.value = "plain";
    },
  );
}

/** Not every browser says so when it is asked for a context. */
function imitated(context: WebGL2RenderingContext): boolean {
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(info === null ? context.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  return /swiftshader|llvmpipe|software|basic render/i.test(String(name));
}

/** How many vertices were drawn. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): number {
  if (kind.peek() === "webgl" && gl !== null) return gl.draw(context, drawing);
  return drawPlain(context, drawing);
}

export function release(model: Model): void {
  gl?.release(model);
}
