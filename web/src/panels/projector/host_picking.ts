// Hit tests: finds the points of a scene under the pointer or in a box. `seen` is reused scratch memory; its content
// afterwards is not used.

import type { Scene } from "./host_state";
import { pointRadius } from "./painting";
import { look, makeSeen, type Seen } from "./raster";

const PICK_PX = 7;

/** Returns memory for all points of the scene: `seen` if it is large enough. */
export function seenFor(seen: Seen, scene: Scene): Seen {
  const count = scene.marks.only?.length ?? scene.cloud.rows;
  return seen.x.length < count ? makeSeen(count) : seen;
}

/** Returns the frontmost point under the pointer, in CSS pixels; row -1 if there is none. */
export function pickPoint(scene: Scene, seen: Seen, x: number, y: number): { row: number; x: number; y: number } {
  const { ratio, marks } = scene;
  look(scene.lens, scene.cloud.positions, marks.only, 1, null, seen);
  const radius = pointRadius(scene);
  // sprite images are hit over their whole size
  const reach = Math.max(PICK_PX * ratio, scene.sprite === null ? radius + 2 : 5 * radius);
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < seen.count; i++) {
    const away = Math.hypot((seen.x[i] ?? 0) - x * ratio, (seen.y[i] ?? 0) - y * ratio);
    if (away > reach) continue;
    // if several discs are under the pointer, choose the frontmost; if none is, the one nearest to the pointer
    const cost = Math.max(0, away - radius) * 64 - (seen.near[i] ?? 0) / 16;
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  if (best < 0) return { row: -1, x, y };
  return { row: seen.row[best] ?? -1, x: (seen.x[best] ?? 0) / ratio, y: (seen.y[best] ?? 0) / ratio };
}

/** Returns the rows in a box given by two corners in CSS pixels, in ascending order. */
export function pointsInBox(scene: Scene, seen: Seen, box: readonly [number, number, number, number]): Uint32Array {
  const { ratio, marks } = scene;
  const [x0, y0] = [Math.min(box[0], box[2]) * ratio, Math.min(box[1], box[3]) * ratio];
  const [x1, y1] = [Math.max(box[0], box[2]) * ratio, Math.max(box[1], box[3]) * ratio];
  look(scene.lens, scene.cloud.positions, marks.only, 1, null, seen);
  const inside = new Uint32Array(seen.count);
  let count = 0;
  for (let i = 0; i < seen.count; i++) {
    const [x, y] = [seen.x[i] ?? 0, seen.y[i] ?? 0];
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) inside[count++] = seen.row[i] ?? 0;
  }
  return inside.slice(0, count).sort();
}
