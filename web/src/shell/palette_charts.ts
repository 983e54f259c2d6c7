// Charts that the search finds beside tags: those the reader made on the time series page, and those of layouts, whose
// code is fetched when the search is first opened.

import { computed, signal } from "@preact/signals";
import { kinds } from "../state/board";
import { findCard, keyOfMade } from "../state/cards";
import { texts, view } from "../state/view";

export type FoundChart = {
  readonly key: string;
  readonly title: string;
  readonly page: string;
  /** Where it stands. */
  readonly place: string;
};

type Layouts = typeof import("../state/custom_scalars");

const layouts = signal<Layouts | null>(null);

/** Know the layouts as long as the search is open; the answer stops. */
export function followCharts(): () => void {
  if (!("custom_scalars" in kinds.peek()) && view.peek().customLayout === null) return () => {};
  let stop: (() => void) | null = null;
  let ended = false;
  import("../state/custom_scalars").then(
    (module) => {
      layouts.value = module;
      if (!ended) stop = module.followLayout();
    },
    // found without them, then
    () => {},
  );
  return () => {
    ended = true;
    stop?.();
  };
}

export const charts = computed<readonly FoundChart[]>(() => {
  const own = view.value.cards.flatMap((made): readonly FoundChart[] => {
    const key = keyOfMade(made);
    const title = findCard(key)?.title ?? made.title;
    return [{ key, title, page: "timeseries", place: texts.value.timeseries.made }];
  });
  const page = "custom_scalars";
  const name = texts.value.shell.kinds[page] ?? page;
  const laid = layouts.value?.customCards.value.flat() ?? [];
  const categories = layouts.value?.layout.value ?? [];
  return [
    ...own,
    ...laid.map(({ key, title, category }) => ({
      key,
      title,
      page,
      place: [name, categories[category]?.title ?? ""].filter((word) => word !== "").join(" · "),
    })),
  ];
});
