// Keys on the graph: arrows move along edges and to neighboring boxes, Enter opens, Esc deselects, F fits, / searches.
// shell/actions.ts lists all of them.

import { changeView, view } from "../../state/view";
import { zoomed } from "./camera";
import { CAN_OPEN, OPEN } from "./model/scene";
import { neighbourOf } from "./neighbours";
import { openMenu } from "./node_menu";
import { choose, goTo, setOpen, shown } from "./session";
import { camera, fitAll, frame, moveCamera } from "./sight";

const ARROWS: Readonly<Record<string, "up" | "down" | "left" | "right">> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};
const ZOOM = 1.3;
const PAN_PX = 80;

export function onStageKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!handled(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function handled(event: KeyboardEvent): boolean {
  const now = shown.peek();
  const arrow = ARROWS[event.key];
  if (arrow !== undefined && event.shiftKey) {
    const by = { up: [0, PAN_PX], down: [0, -PAN_PX], left: [PAN_PX, 0], right: [-PAN_PX, 0] }[arrow];
    moveCamera((one) => ({ ...one, x: one.x - (by[0] ?? 0) / one.scale, y: one.y - (by[1] ?? 0) / one.scale }));
    return true;
  }
  if (arrow !== undefined && now !== null) {
    const next = neighbourOf(now.scene, now.chosenBox, arrow);
    if (next >= 0) void goTo(now.scene.path[next] ?? "");
    return true;
  }
  if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) return showMenu(event);
  switch (event.key) {
    case "Enter":
    case " ": {
      if (now === null || now.chosenBox < 0) return false;
      const flags = now.scene.flags[now.chosenBox] ?? 0;
      if ((flags & CAN_OPEN) !== 0) setOpen(now.scene.path[now.chosenBox] ?? "", (flags & OPEN) === 0);
      return true;
    }
    case "Escape":
      if (view.value.graphsNode === "") return false;
      choose("");
      return true;
    case "Backspace": {
      const parent = now === null ? -1 : (now.scene.parent[now.chosenBox] ?? -1);
      if (now !== null && parent >= 0) choose(now.scene.path[parent] ?? "");
      return true;
    }
    case "+":
    case "=":
    case "-": {
      const { widthPx, heightPx } = frame.peek();
      moveCamera((one) => zoomed(one, event.key === "-" ? 1 / ZOOM : ZOOM, widthPx / 2, heightPx / 2));
      return true;
    }
    case "f":
    case "0":
      fitAll();
      return true;
    case "t":
      changeView({ graphsTrace: !view.value.graphsTrace });
      return true;
    default:
      return false;
  }
}

/** Opens the menu below the visible part of the selected box. */
function showMenu({ currentTarget }: KeyboardEvent): boolean {
  const now = shown.peek();
  const path = view.value.graphsNode;
  if (now === null || now.chosenBox < 0 || !(currentTarget instanceof HTMLElement)) return false;
  const { scene, chosenBox: box } = now;
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  const { x, y, scale } = camera.peek();
  const right = (scene.x[box] ?? 0) + Math.min(24, scene.w[box] ?? 0);
  const bottom = (scene.y[box] ?? 0) + Math.min(36, scene.h[box] ?? 0);
  openMenu.value = {
    path,
    xPx: left + Math.min(width, Math.max(0, (right - x) * scale)),
    yPx: top + Math.min(height, Math.max(0, (bottom - y) * scale)),
  };
  return true;
}
