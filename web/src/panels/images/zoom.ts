// Computes size and position of a zoomed image from a zoom factor (1 fits the frame) and a center.

import type { ImagesZoom } from "../../state/members/images";

export type Size = { readonly widthPx: number; readonly heightPx: number };
export type Drawn = Size & { readonly leftPx: number; readonly topPx: number };

export const WHOLE: ImagesZoom = { scale: 1, x: 0.5, y: 0.5 };
const MOST = 256;

/** Scale that fits the whole image into the frame; small images are enlarged, too. */
function fitted(picture: Size, frame: Size): number {
  if (picture.widthPx === 0 || picture.heightPx === 0) return 1;
  return Math.min(frame.widthPx / picture.widthPx, frame.heightPx / picture.heightPx);
}

export function drawnAt(picture: Size, frame: Size, { scale, x, y }: ImagesZoom): Drawn {
  const times = fitted(picture, frame) * scale;
  const [widthPx, heightPx] = [picture.widthPx * times, picture.heightPx * times];
  return {
    widthPx,
    heightPx,
    leftPx: frame.widthPx / 2 - x * widthPx,
    topPx: frame.heightPx / 2 - y * heightPx,
  };
}

/** Returns how many screen pixels an image pixel has. */
export function magnification(picture: Size, frame: Size, zoom: ImagesZoom): number {
  return fitted(picture, frame) * zoom.scale;
}

/** Zooms by a factor and keeps the position under the pointer; returns null if the whole image is visible again. */
export function zoomedAt(
  picture: Size,
  frame: Size,
  zoom: ImagesZoom,
  factor: number,
  pointer: { readonly x: number; readonly y: number },
): ImagesZoom | null {
  const before = drawnAt(picture, frame, zoom);
  const scale = Math.min(MOST, Math.max(1, zoom.scale * factor));
  if (scale === 1) return null;
  const at = { x: (pointer.x - before.leftPx) / before.widthPx, y: (pointer.y - before.topPx) / before.heightPx };
  const after = drawnAt(picture, frame, { ...zoom, scale });
  return {
    scale,
    x: within(at.x + (frame.widthPx / 2 - pointer.x) / after.widthPx),
    y: within(at.y + (frame.heightPx / 2 - pointer.y) / after.heightPx),
  };
}

export function panned(picture: Size, frame: Size, zoom: ImagesZoom, dx: number, dy: number): ImagesZoom {
  const { widthPx, heightPx } = drawnAt(picture, frame, zoom);
  return { ...zoom, x: within(zoom.x - dx / widthPx), y: within(zoom.y - dy / heightPx) };
}

function within(share: number): number {
  return Math.min(1, Math.max(0, share));
}
