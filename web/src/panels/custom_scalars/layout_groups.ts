// Categories and their charts as shown on the page: filtered, open or closed.

import { computed } from "@preact/signals";
import { isOpen, setOpen } from "../../state/cards";
import { type CustomCard, categorySection, customCards, layout } from "../../state/custom_scalars";
import { tagFilter } from "../../state/tag_filter";
import { changeView, member, view } from "../../state/view";

export type CategoryGroup = {
  readonly key: string;
  readonly title: string;
  /** Index of the category in the layout. */
  readonly category: number;
  readonly path: string;
  readonly open: boolean;
  readonly openAtFirst: boolean;
  readonly cards: readonly CustomCard[];
  readonly keyAt: (position: number) => string;
};

const filterText = member("tagFilter");
const filter = computed(() => tagFilter(filterText.value));
export const filterError = computed(() => filter.value.error);

function matchesFilter(card: CustomCard): boolean {
  const { matches } = filter.value;
  return matches(card.title) || card.tags.some(matches);
}

export const categoryGroups = computed<readonly CategoryGroup[]>(() => {
  const filtered = filterText.value !== "";
  return (layout.value ?? []).flatMap(({ title, closed }, category): readonly CategoryGroup[] => {
    const all = customCards.value[category] ?? [];
    const cards = filtered ? all.filter(matchesFilter) : all;
    if (filtered && cards.length === 0) return [];
    const path = categorySection(title);
    const openAtFirst = !closed;
    return [
      {
        key: `${category}|${title}`,
        title,
        category,
        path,
        open: filtered || isOpen(path, openAtFirst),
        openAtFirst,
        cards,
        keyAt: (position) => cards[position]?.key ?? "",
      },
    ];
  });
});

export const chartCount = computed(() => customCards.value.reduce((sum, { length }) => sum + length, 0));
export const shownCount = computed(() => categoryGroups.value.reduce((sum, { cards }) => sum + cards.length, 0));

/** Keys of all charts in open categories, in page order. */
export function chartsInOrder(): readonly string[] {
  return categoryGroups.value.flatMap(({ open, cards }) => (open ? cards.map(({ key }) => key) : []));
}

export function openCategory(group: Pick<CategoryGroup, "path" | "openAtFirst">, open: boolean): void {
  setOpen(group, open);
}

export function openAll(open: boolean): void {
  const own = new Set(categoryGroups.value.map(({ path }) => path));
  const others = (paths: readonly string[]): readonly string[] => paths.filter((path) => !own.has(path));
  const against = categoryGroups.value.filter(({ openAtFirst }) => openAtFirst !== open).map(({ path }) => path);
  const [closed, opened] = [others(view.value.closed), others(view.value.opened)];
  changeView(open ? { closed, opened: [...opened, ...against] } : { closed: [...closed, ...against], opened });
}

/** Removes one thing that hides the chart; returns false if nothing hides it. */
export function uncover(key: string): boolean {
  const group = categoryGroups.value.find(({ cards }) => cards.some((card) => card.key === key));
  if (group === undefined) {
    if (filterText.value === "") return false;
    changeView({ tagFilter: "" });
    return true;
  }
  if (group.open) return false;
  openCategory(group, true);
  return true;
}
