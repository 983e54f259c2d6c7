// Shows a card that the user searched for: the page scrolls to it and highlights it for a moment.

import type { CardList } from "./card_grid";
import type { Layout } from "./layout";

/** Returns the top of the card; null if it is not (yet) on the page. */
export function topOfCard<G extends CardList>(layout: Layout<G>, key: string): number | null {
  for (let i = 0; i < layout.rows.length; i++) {
    const row = layout.rows[i];
    if (row?.kind !== "cards") continue;
    for (let place = row.from; place < row.to; place++) if (row.of.keyAt(place) === key) return layout.tops[i] ?? null;
  }
  return null;
}

const STANDS_OUT_MS = 1500;

export function standOut(grid: HTMLElement, key: string): void {
  const card = grid.querySelector(`[data-key="${CSS.escape(key)}"]`);
  card?.animate([{ outline: "2px solid var(--accent)" }, { outline: "2px solid transparent" }], STANDS_OUT_MS);
}
