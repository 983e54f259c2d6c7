// Whether workers of this browser can draw, and what the page provides where they cannot.

import type { AnyCanvas } from "./plate";

export const offscreen =
  typeof HTMLCanvasElement !== "undefined" && "transferControlToOffscreen" in HTMLCanvasElement.prototype;

/** The canvas as the drawing host gets it, and what is transferred with it. Once for each canvas. */
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
