// The camera: the scene position at the upper left corner of the view, and the scale.

import type { Scene } from "./model/scene";

export type Camera = { readonly x: number; readonly y: number; readonly scale: number };
export type Window = { readonly widthPx: number; readonly heightPx: number };
export type Area = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

export const LEAST_SCALE = 0.001;
export const MOST_SCALE = 4;
const MARGIN_PX = 28;
/** Smallest scale with readable text: a larger graph is first shown from its top instead of shrunk to fit. */
const READABLE = 0.62;
// small graphs are enlarged at most this much
const MOST_FIT = 1.25;

export const clamp = (scale: number): number => Math.min(MOST_SCALE, Math.max(LEAST_SCALE, scale));

export function fitArea(area: Area, window: Window): Camera {
  const across = (window.widthPx - 2 * MARGIN_PX) / Math.max(1, area.w);
  const down = (window.heightPx - 2 * MARGIN_PX) / Math.max(1, area.h);
  const scale = clamp(Math.min(across, down, MOST_FIT));
  return centered(area.x + area.w / 2, area.y + area.h / 2, scale, window);
}

/** Returns a camera that shows the whole graph if it is readable; otherwise its top at a readable scale. */
export function firstSight(scene: Pick<Scene, "width" | "height">, window: Window): Camera {
  const whole = fitArea({ x: 0, y: 0, w: scene.width, h: scene.height }, window);
  if (whole.scale >= READABLE) return whole;
  const across = (window.widthPx - 2 * MARGIN_PX) / Math.max(1, scene.width);
  const scale = clamp(Math.min(1, Math.max(READABLE, across)));
  const wide = scene.width * scale > window.widthPx - 2 * MARGIN_PX;
  const high = scene.height * scale > window.heightPx - 2 * MARGIN_PX;
  const center = centered(scene.width / 2, scene.height / 2, scale, window);
  return { scale, x: wide ? center.x : center.x, y: high ? -MARGIN_PX / scale : center.y };
}

export function centered(x: number, y: number, scale: number, window: Window): Camera {
  return { x: x - window.widthPx / 2 / scale, y: y - window.heightPx / 2 / scale, scale };
}

/** Converts a camera for the address: it stores the center, so that a view of another size shows the same part. */
export function sightOf({ x, y, scale }: Camera, { widthPx, heightPx }: Window): Camera {
  return {
    x: rounded(x + widthPx / 2 / scale),
    y: rounded(y + heightPx / 2 / scale),
    scale: Number(scale.toPrecision(5)),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10 || 0;

/** Zooms around the pointer. */
export function zoomed(camera: Camera, factor: number, xPx: number, yPx: number): Camera {
  const scale = clamp(camera.scale * factor);
  const x = camera.x + xPx / camera.scale - xPx / scale;
  const y = camera.y + yPx / camera.scale - yPx / scale;
  return { x, y, scale };
}

export function moved(camera: Camera, dxPx: number, dyPx: number): Camera {
  return { ...camera, x: camera.x - dxPx / camera.scale, y: camera.y - dyPx / camera.scale };
}

/** Limits the camera so that a part of the scene stays visible. */
export function kept(camera: Camera, scene: Pick<Scene, "width" | "height">, window: Window): Camera {
  const [w, h] = [window.widthPx / camera.scale, window.heightPx / camera.scale];
  const x = Math.min(scene.width - 0.1 * w, Math.max(-0.9 * w, camera.x));
  const y = Math.min(scene.height - 0.1 * h, Math.max(-0.9 * h, camera.y));
  return { ...camera, x, y };
}

/** Returns a camera that shows an area at a readable scale and moves as little as possible. */
export function showing(camera: Camera, area: Area, window: Window): Camera {
  const scale = camera.scale < 0.45 ? Math.min(1, 1.6 * READABLE) : camera.scale;
  const [w, h] = [window.widthPx / scale, window.heightPx / scale];
  const inside =
    scale === camera.scale &&
    area.x >= camera.x + 8 &&
    area.y >= camera.y + 8 &&
    area.x + Math.min(area.w, w) <= camera.x + w &&
    area.y + Math.min(area.h, 0.8 * h) <= camera.y + h;
  if (inside) return camera;
  if (area.w > w || area.h > h) {
    return { x: area.x + area.w / 2 - w / 2, y: area.h > h ? area.y - 24 / scale : area.y + area.h / 2 - h / 2, scale };
  }
  return centered(area.x + area.w / 2, area.y + area.h / 2, scale, window);
}
