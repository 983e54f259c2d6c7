// Detects if workers of this browser can draw, and provides what the page needs if they cannot.

import type { AnyCanvas } from "./plate";

export const offscreen =
  typeof HTMLCanvasElement !== "undefined" && "transferControlToOffscreen" in HTMLCanvasElement.prototype;

/** Returns the canvas for the drawing host, and the objects to transfer. Call it once for each canvas. */
export function handOver(canvas: HTMLCanvasElement): { readonly canvas: AnyCanvas; readonly transfer: Transferable[] } {
  if (!offscreen) return { canvas, transfer: [] };
  const handed = canvas.transferControlToOffscreen();
  return { canvas: handed, transfer: [handed] };
}

/** For a host that runs on the page. */
export const PAGE_TOOLS = {
  makeCanvas: (width: number, height: number): AnyCanvas =>
    Object.assign(document.createElement("canvas"), { width, height }),
  nextFrame: (callback: () => void): void => void requestAnimationFrame(callback),
  soon: (callback: () => void): void => void setTimeout(callback),
};

export function reportFailure(reason: string): void {
  reportError(new Error(`a chart could not be drawn: ${reason}`));
}
