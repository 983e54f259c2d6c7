// Actions on one node or namespace: the context menu and the menu of the info pane.

import { signal } from "@preact/signals";
import * as graphsWords from "../../state/texts/graphs";
import { tell } from "../../state/toasts";
import { changeView, spoken, view } from "../../state/view";
import { copyText } from "../../widgets/clipboard";
import type { MenuItem } from "../../widgets/menu";
import { SERIES } from "./model/hierarchy";
import { ASIDE, CAN_OPEN, OPEN } from "./model/scene";
import { goTo, setOpen, shown } from "./session";

/** The open menu and its position in the window. */
export const openMenu = signal<{ readonly path: string; readonly xPx: number; readonly yPx: number } | null>(null);

export function menuOf(path: string): readonly MenuItem[] {
  const words = spoken(graphsWords);
  const items = [...boxItems(path), ...functionItems(path)];
  return [
    ...items,
    ...(items.length > 0 ? (["separator"] as const) : []),
    {
      label: words.trace,
      checked: view.value.graphsTrace,
      shortcut: "T",
      onSelect: () => changeView({ graphsTrace: !view.value.graphsTrace, graphsNode: path }),
    },
    {
      label: words.copyName,
      icon: "copy",
      onSelect: () => void copyText(path).then((done) => done && tell(words.copied)),
    },
  ];
}

/** Items for a box of the scene. */
function boxItems(path: string): readonly MenuItem[] {
  const words = spoken(graphsWords);
  const scene = shown.peek()?.scene;
  const box = scene?.path.indexOf(path) ?? -1;
  const flags = scene?.flags[box] ?? 0;
  const items: MenuItem[] = [];
  if ((flags & CAN_OPEN) !== 0) {
    const isOpen = (flags & OPEN) !== 0;
    items.push({
      label: isOpen ? words.close : words.open,
      icon: isOpen ? "minus" : "plus",
      shortcut: "Enter",
      onSelect: () => setOpen(path, !isOpen),
    });
  }
  if (box >= 0) {
    const aside = (flags & ASIDE) !== 0;
    items.push({
      label: aside ? words.intoMain : words.outOfMain,
      icon: aside ? "left" : "to-end",
      onSelect: () => putAside(path, !aside),
    });
  }
  if (scene !== undefined && scene.type[box] === SERIES) {
    items.push({ label: words.ungroup, icon: "columns", onSelect: () => ungroup(path) });
  }
  return items;
}

/** Items that need details, which are loaded only for the selected node: its series, called functions, callers. */
function functionItems(path: string): readonly MenuItem[] {
  const words = spoken(graphsWords);
  const facts = shown.peek()?.facts ?? null;
  if (facts?.path !== path) return [];
  const { apart, bodies, callers } = facts;
  const [caller] = callers;
  return [
    ...(apart === "" ? [] : [{ label: words.group, icon: "group", onSelect: () => regroup(apart) } as const]),
    ...bodies.map(
      (body) =>
        ({
          label: words.goToBody(body.slice(body.indexOf("/") + 1)),
          icon: "right",
          onSelect: () => void goTo(body),
        }) as const,
    ),
    ...(caller === undefined
      ? []
      : [{ label: words.goToCaller, icon: "right", onSelect: () => void goTo(caller) } as const]),
  ];
}

export function putAside(path: string, aside: boolean): void {
  const { graphsMain, graphsAside } = view.value;
  const less = (list: readonly string[]): readonly string[] => list.filter((one) => one !== path);
  changeView(
    aside
      ? { graphsMain: less(graphsMain), graphsAside: [...less(graphsAside), path] }
      : { graphsMain: [...less(graphsMain), path], graphsAside: less(graphsAside) },
    { apart: true },
  );
}

export function ungroup(path: string): void {
  changeView({ graphsUngrouped: [...view.value.graphsUngrouped, path], graphsNode: "" }, { apart: true });
}

export function regroup(path: string): void {
  const rest = view.value.graphsUngrouped.filter((one) => one !== path);
  changeView({ graphsUngrouped: rest, graphsNode: path }, { apart: true });
}
