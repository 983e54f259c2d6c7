// Custom scalars: the layout that runs have written, or what the reader made of it, and the tags that its regular
// expressions match. The server matches: expressions are Python's.

import { computed, effect, signal } from "@preact/signals";
import { fetchCustomScalars, type TagMatch } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";
import { addCards, type Card } from "./cards";
import { type CustomChart, type CustomLayout, chartKeys, patternsOf } from "./custom_layout";
import { changeView, member } from "./view";

export type { TagMatch };

/** Null before the first answer. */
export const loggedLayout = signal<CustomLayout | null>(null);
/** Runs that have written one. */
export const layoutRuns = signal<readonly string[]>([]);
export const layoutProblem = signal<Problem | null>(null);

const matches = signal<ReadonlyMap<string, TagMatch>>(new Map());
const own = member("customLayout");

/** What is on the page; null before it is known. */
export const layout = computed<CustomLayout | null>(() => own.value ?? loggedLayout.value);

/** Change what is on the page; the layout of the runs stays as it is. */
export function editLayout(change: (layout: CustomLayout) => CustomLayout): void {
  changeView({ customLayout: change(layout.peek() ?? []) }, { apart: true });
}

/** Undefined: not asked yet. */
export function matchOf(pattern: string): TagMatch | undefined {
  return matches.value.get(pattern);
}

// ---- asking

const gate = newestGate();
/** Expressions in a dialog, being typed. */
const typed = signal<readonly string[]>([]);

async function ask(): Promise<void> {
  const wanted = [...new Set([...patternsOf(own.peek() ?? []), ...typed.peek()])].filter((pattern) => pattern !== "");
  const asked = fetchCustomScalars({ pattern: wanted }).catch((error: unknown) => asProblem(error));
  const { newest, answer } = await gate(asked);
  if (!newest) return;
  if (!("categories" in answer)) {
    layoutProblem.value = answer;
    return;
  }
  layoutProblem.value = null;
  layoutRuns.value = answer.runs;
  loggedLayout.value = answer.categories;
  matches.value = new Map(answer.matches.map((match) => [match.pattern, match]));
}

export function retryLayout(): void {
  layoutProblem.value = null;
  void ask();
}

// a word being typed asks when it pauses; a board that grows, once a second
const TYPING_MS = 120;
const LIVE_MS = 1000;

/** Keep all of it true while the page is open; the answer stops. */
export function followLayout(): () => void {
  const soon = coalesced(() => void ask(), TYPING_MS);
  const live = coalesced(() => void ask(), LIVE_MS);
  void ask();
  const stopListening = onChange(({ tags }) => {
    if (tags.custom_scalars !== undefined || tags.scalars !== undefined) live();
  });
  const stopWatching = effect(() => {
    const wanted = [...patternsOf(own.value ?? []), ...typed.value];
    if (wanted.some((pattern) => pattern !== "" && !matches.peek().has(pattern))) soon();
  });
  return () => {
    stopListening();
    stopWatching();
  };
}

/** Tell what these match as well, until called with none. */
export function matchTyped(patterns: readonly string[]): void {
  typed.value = patterns;
}

// ---- cards

export type CustomCard = Card & {
  readonly chart: CustomChart;
  readonly category: number;
  readonly place: number;
  /** What its expressions match is not known yet. */
  readonly pending: boolean;
};

/** As the view names the settings of a category. */
export function categorySection(title: string): string {
  return `custom|${title}`;
}

/** By category, in the order of the page. */
export const customCards = computed<readonly (readonly CustomCard[])[]>(() => {
  const shown = layout.value ?? [];
  const keys = chartKeys(shown);
  return shown.map(({ title, charts }, category) =>
    charts.map((chart, place): CustomCard => {
      const found = chart.patterns.map(matchOf);
      const banded = chart.bands.length > 0;
      return {
        key: keys[category]?.[place] ?? "",
        title: chart.title || chart.patterns.join(", ") || chart.bands.map(({ value }) => value).join(", "),
        tags: banded
          ? chart.bands.map(({ value }) => value)
          : [...new Set(found.flatMap((match) => match?.tags ?? []))],
        made: null,
        edges: banded
          ? { lower: chart.bands.map(({ lower }) => lower), upper: chart.bands.map(({ upper }) => upper) }
          : undefined,
        section: categorySection(title),
        chart,
        category,
        place,
        pending: found.some((match) => match === undefined),
      };
    }),
  );
});

const byKey = computed(() => new Map(customCards.value.flat().map((card) => [card.key, card])));

export function findCustomCard(key: string): CustomCard | null {
  return byKey.value.get(key) ?? null;
}

addCards("custom:", findCustomCard);
