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

let gl: GlStage | null = null;
let begun = false;

/** Find out, once. */
export function prepareStage(): void {
  if (begun) return;
  begun = true;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("webgl2", { antialias: true, alpha: false, powerPreference: "high-performance" });
  if (context === null) {
    kind.value = "plain";
    return;
  }
  canvas.addEventListener("webglcontextlost", (event) => {
    // without this it would never come back
    event.preventDefault();
    kind.value = "plain";
  });
  canvas.addEventListener("webglcontextrestored", () => {
    kind.value = gl === null ? "plain" : "webgl";
  });
  import("./gl_stage").then(
    (module) => {
      gl = module.glStage(canvas, context);
      kind.value = "webgl";
    },
    () => {
      kind.value = "plain";
    },
  );
}

/** How many vertices were drawn. */
export function draw(context: CanvasRenderingContext2D, drawing: Drawing): number {
  if (kind.peek() === "webgl" && gl !== null) return gl.draw(context, drawing);
  return drawPlain(context, drawing);
}

export function release(model: Model): void {
  gl?.release(model);
}
