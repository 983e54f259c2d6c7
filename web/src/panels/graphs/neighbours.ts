// Finds the box that an arrow key moves to: up and down along edges, left and right to the box beside.

import { OPEN, type Scene } from "./model/scene";

export type Direction = "up" | "down" | "left" | "right";

export function neighbourOf(scene: Scene, box: number, direction: Direction): number {
  if (scene.item.length === 0) return -1;
  if (box < 0) return topmost(scene, -1);
  const vertical = direction === "up" || direction === "down";
  const linked = vertical ? alongEdges(scene, box, direction === "up") : -1;
  if (linked >= 0) return linked;
  // down enters an open group; leaving a group selects the group
  if (direction === "down" && ((scene.flags[box] ?? 0) & OPEN) !== 0) return topmost(scene, box);
  const beside = nearest(scene, box, direction);
  if (beside >= 0 || !vertical) return beside;
  return scene.parent[box] ?? -1;
}

function center(scene: Scene, box: number): readonly [number, number] {
  return [(scene.x[box] ?? 0) + (scene.w[box] ?? 0) / 2, (scene.y[box] ?? 0) + (scene.h[box] ?? 0) / 2];
}

function alongEdges(scene: Scene, box: number, up: boolean): number {
  const [own, other] = up ? [scene.lineTo, scene.lineFrom] : [scene.lineFrom, scene.lineTo];
  const [x] = center(scene, box);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < own.length; i++) {
    const end = other[i] ?? -1;
    if (own[i] !== box || end < 0) continue;
    const apart = Math.abs(center(scene, end)[0] - x);
    if (apart < least) [best, least] = [end, apart];
  }
  return best;
}

function topmost(scene: Scene, parent: number): number {
  let best = -1;
  for (let i = 0; i < scene.item.length; i++) {
    if (scene.parent[i] === parent && (best < 0 || (scene.y[i] ?? 0) < (scene.y[best] ?? 0))) best = i;
  }
  return best;
}

/** Returns the nearest box of the same group in a direction; a sideways offset counts four times. */
function nearest(scene: Scene, box: number, direction: Direction): number {
  const [x, y] = center(scene, box);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < scene.item.length; i++) {
    if (i === box || scene.parent[i] !== scene.parent[box]) continue;
    const [ox, oy] = center(scene, i);
    const [ahead, aside] = {
      up: [y - oy, ox - x],
      down: [oy - y, ox - x],
      left: [x - ox, oy - y],
      right: [ox - x, oy - y],
    }[direction];
    const cost = (ahead ?? 0) + 4 * Math.abs(aside ?? 0);
    if ((ahead ?? 0) > 1 && cost < least) [best, least] = [i, cost];
  }
  return best;
}
