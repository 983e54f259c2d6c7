// An index of a scene, built once, that makes drawing fast.

import type { Scene } from "./scene";

/** `end`: index after the contents of each box. `bounds`: left, top, right, bottom of each line. */
export type SceneIndex = { readonly end: Int32Array; readonly bounds: Float32Array };

export function indexScene(scene: Scene): SceneIndex {
  const n = scene.item.length;
  const end = new Int32Array(n);
  for (let i = n - 1; i >= 0; i--) {
    if ((end[i] ?? 0) < i + 1) end[i] = i + 1;
    const parent = scene.parent[i] ?? -1;
    if (parent >= 0) end[parent] = Math.max(end[parent] ?? 0, end[i] ?? 0);
  }
  const lines = scene.lineFrom.length;
  const bounds = new Float32Array(4 * lines);
  for (let i = 0; i < lines; i++) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let p = scene.lineAt[i] ?? 0; p < (scene.lineAt[i + 1] ?? 0); p += 2) {
      const [x, y] = [scene.points[p] ?? 0, scene.points[p + 1] ?? 0];
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    bounds[4 * i] = left;
    bounds[4 * i + 1] = top;
    bounds[4 * i + 2] = right;
    bounds[4 * i + 3] = bottom;
  }
  return { end, bounds };
}
