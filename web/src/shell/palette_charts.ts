// Charts that the search palette finds besides tags: those that the user made on the time series page, and those of
// layouts, whose code is loaded when the palette is first opened.

import { computed, signal } from "@preact/signals";
import { kinds } from "../state/board";
import { findCard, keyOfMade } from "../state/cards";
import { texts, view } from "../state/view";

export type FoundChart = {
  readonly key: string;
  readonly title: string;
  readonly page: string;
  /** Where the chart is, in words: section or category. */
  readonly place: string;
};

type Layouts = typeof import("../state/custom_scalars");

const layouts = signal<Layouts | null>(null);

/** Loads the layouts while the palette is open. Returns a stop function. */
export function followCharts(): () => void {
  if (!("custom_scalars" in kinds.peek()) && view.peek().customLayout === null) return () => {};
  let stop: (() => void) | null = null;
  let ended = false;
  import("../state/custom_scalars").then(
    (module) => {
      layouts.value = module;
      if (!ended) stop = module.followLayout();
    },
    // search without layouts
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
