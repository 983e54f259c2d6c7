// Shared by chart components: the changing size of a canvas, and the zoom box of a drag.

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

/** Reports the size in whole device pixels, which may be a fraction of CSS pixels. */
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
    observer.observe(canvas); // Safari supports CSS pixels only
  }
  return () => observer.disconnect();
}

/** Returns the reported size unless it is implausible: emulated screens report CSS pixels. */
function devicePixels(expected: number, reported: number | undefined): number {
  return reported !== undefined && Math.abs(reported - expected) <= 1.5 ? reported : Math.round(expected);
}
