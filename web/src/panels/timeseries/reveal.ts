// Going to a card that was searched for: what hides it is opened, the page scrolls there, the card stands out a moment.

import { type CardGroup, cardGroups, setOpen, tagSections } from "../../state/cards";
import { changeView, view } from "../../state/view";
import type { Layout } from "./layout";

/** The height at which the card begins; null when it is not on the page, or not yet. */
export function topOfCard(layout: Layout<CardGroup>, key: string): number | null {
  for (let i = 0; i < layout.rows.length; i++) {
    const row = layout.rows[i];
    if (row?.kind !== "cards") continue;
    for (let place = row.from; place < row.to; place++) if (row.of.keyAt(place) === key) return layout.tops[i] ?? null;
  }
  return null;
}

/** Do one thing that brings the card nearer to the page; false when there is nothing left to do. */
export function uncover(key: string): boolean {
  const { hiddenCards, tagFilter } = view.value;
  if (hiddenCards.includes(key)) {
    changeView({ hiddenCards: hiddenCards.filter((hidden) => hidden !== key) });
    return true;
  }
  const tag = key.slice("tag:".length);
  const path = tagSections.value.flatMap(({ blocks }) => blocks).find(({ tags }) => tags.includes(tag))?.path;
  if (path === undefined) {
    if (tagFilter === "") return false;
    changeView({ tagFilter: "" });
    return true;
  }
  const above = cardGroups.value.find(
    (group) => !group.open && (path === group.path || path.startsWith(`${group.path}/`)),
  );
  if (above === undefined) return false;
  setOpen(above, true);
  return true;
}

const STANDS_OUT_MS = 1500;

export function standOut(grid: HTMLElement, title: string): void {
  const card = grid.querySelector(`[data-card="${CSS.escape(title)}"]`);
  card?.animate([{ outline: "2px solid var(--accent)" }, { outline: "2px solid transparent" }], STANDS_OUT_MS);
}
