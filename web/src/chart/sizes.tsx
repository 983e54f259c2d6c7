// What components of charts share: the size of a canvas as it changes, and the box that a drag draws.

import type { JSX } from "preact";
import type { Boxed } from "./gestures";
import type { Scene } from "./types";

export type Size = Pick<Scene, "widthPx" | "heightPx" | "ratio">;

export function ZoomBox({ boxed: { box } }: { readonly boxed: Boxed }): JSX.Element {
  const { leftPx, topPx, rightPx, bottomPx } = box;
  const style = {
    left: `${leftPx}px`,
    top: `${topPx}px`,
    width: `${rightPx - leftPx}px`,
    height: `${bottomPx - topPx}px`,
  };
  return <div class="zoom-box" style={style} />;
}

/** Tells the size in whole device pixels, which need not be a whole number of CSS pixels. */
export function watchSize(canvas: HTMLCanvasElement, tell: (size: Size) => void): () => void {
  const observer = new ResizeObserver((entries) => {
    const entry = entries.at(-1);
    if (entry === undefined) return;
    const ratio = window.devicePixelRatio || 1;
    const exact = entry.devicePixelContentBoxSize?.[0];
    const width = devicePixels(entry.contentRect.width * ratio, exact?.inlineSize);
    const height = devicePixels(entry.contentRect.height * ratio, exact?.blockSize);
    if (width > 0 && height > 0) tell({ widthPx: width / ratio, heightPx: height / ratio, ratio });
  });
  try {
    observer.observe(canvas, { box: "device-pixel-content-box" });
  } catch {
    observer.observe(canvas); // Safari knows CSS pixels only
  }
  return () => observer.disconnect();
}

/** What the browser says, unless it cannot be: an emulated screen tells CSS pixels there. */
function devicePixels(expected: number, reported: number | undefined): number {
  return reported !== undefined && Math.abs(reported - expected) <= 1.5 ? reported : Math.round(expected);
}
