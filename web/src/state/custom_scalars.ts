// Custom scalars: the logged layout, or the user's edited copy, and the tags that its regular expressions match. The
// server matches them, because they have Python's syntax.

import { computed, effect, signal } from "@preact/signals";
import { fetchCustomScalars, type TagMatch } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";
import { addCards, type Card } from "./cards";
import { type CustomChart, type CustomLayout, chartKeys, patternsOf } from "./custom_layout";
import { changeView, member } from "./view";

export type { TagMatch };

/** Null before the first response. */
export const loggedLayout = signal<CustomLayout | null>(null);
/** Runs that have logged a layout. */
export const layoutRuns = signal<readonly string[]>([]);
export const layoutProblem = signal<Problem | null>(null);

const matches = signal<ReadonlyMap<string, TagMatch>>(new Map());
const own = member("customLayout");

/** The layout on the page; null: not known yet. */
export const layout = computed<CustomLayout | null>(() => own.value ?? loggedLayout.value);

/** Changes the layout on the page, not the logged one. */
export function editLayout(change: (layout: CustomLayout) => CustomLayout): void {
  changeView({ customLayout: change(layout.peek() ?? []) }, { apart: true });
}

/** Undefined: not requested yet. */
export function matchOf(pattern: string): TagMatch | undefined {
  return matches.value.get(pattern);
}

// ---- requests

const gate = newestGate();
/** Expressions being typed in a dialog. */
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

// requests: after a pause in typing; for new data, once a second
const TYPING_MS = 120;
const LIVE_MS = 1000;

/** Updates the state until the returned function is called. */
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

/** Also matches these, until called with none. */
export function matchTyped(patterns: readonly string[]): void {
  typed.value = patterns;
}

// ---- cards

export type CustomCard = Card & {
  readonly chart: CustomChart;
  readonly category: number;
  readonly place: number;
  /** The matching tags are not known yet. */
  readonly pending: boolean;
};

/** Name of a category's settings in the view. */
export function categorySection(title: string): string {
  return `custom|${title}`;
}

/** By category, in page order. */
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
