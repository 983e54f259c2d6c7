// Everything one card on the page knows: which lines it wants, what it holds, over which stretch it is drawn. Made when
// the card comes into sight, closed when it leaves. What is drawn is in card_scene.ts.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { UnsizedScene } from "../../chart/scene";
import type { Chart } from "../../chart/types";
import { type Card, sectionOfCard } from "../../state/cards";
import { DATA_SHARE, needsExact, union, valueExtent } from "../../state/domain";
import { allDrawn, drawnSet } from "../../state/drawn";
import { drawnRuns } from "../../state/runs";
import { settingsIn, zoomOf } from "../../state/scopes";
import { type HeldLayer, openSeries, type Series } from "../../state/series";
import type { SeriesQuestion } from "../../state/series_plan";
import { type ChartSettings, type Range, smoothingQuestion } from "../../state/settings";
import { member } from "../../state/view";
import { crosshair, emphasised, sceneOf, unchanged } from "./card_scene";

export { crosshair, emphasised } from "./card_scene";

export type CardModel = {
  /** Its own among all cards on the page: the same tag may be shown twice. */
  readonly id: string;
  readonly card: Signal<Card>;
  readonly widthPx: Signal<number>;
  readonly settings: ReadonlySignal<ChartSettings>;
  readonly question: ReadonlySignal<SeriesQuestion>;
  readonly series: Series;
  readonly scene: ReadonlySignal<UnsizedScene>;
  readonly zoomed: ReadonlySignal<boolean>;
  /** No line of a drawn run is there, although the answer is. */
  readonly empty: ReadonlySignal<boolean>;
  readonly chart: { current: Chart | null };
  readonly close: () => void;
};

const group = member("group");
const band = member("band");
const shareY = member("shareY");
const sectionBy = member("sectionBy");

// what the axis and the edges take of a card's width
const MARGINS_PX = 64;
const LEAST_PX = 40;

/** Value extents of the cards on the page by section, for a y axis they share. */
const extents = signal<ReadonlyMap<string, { readonly section: string | null; readonly range: Range | null }>>(
  new Map(),
);

let models = 0;

export function openCard(first: Card, firstWidthPx: number, urgency: () => number): CardModel {
  const id = String(++models);
  const card = signal(first);
  const widthPx = signal(firstWidthPx);
  const settings = unchanged(() => settingsIn({ kind: "card", card: card.value.key }));
  const zoom = unchanged(() => zoomOf(card.value.key));
  /** The range of the middle values. It decides whether columns are fine enough, and is known with the first answer. */
  const middle = signal<Range | null>(null);

  const question = questionOf({ card, widthPx, settings, zoom, middle });
  const wanted = computed(() => (card.value.tags.length === 0 ? null : question.value));
  const series = openSeries(wanted, urgency);
  const smoothed = computed(() => (series.held.value?.smoothing ?? "") !== "");

  const fitted = fittedLayers(series.layers);
  const extent = computed<Range | null>(() =>
    valueExtent(fitted.layers.value, smoothed.value, settings.value.ignoreOutliers),
  );
  const shared = shareExtent(id, card, extent);
  const stopMeasuring = series.layers.subscribe((layers) => {
    const range = valueExtent(layers, smoothed.peek(), true);
    if (series.held.peek()?.range === null || middle.peek() === null) middle.value = range;
  });

  return {
    id,
    card,
    widthPx,
    settings,
    question,
    series,
    scene: sceneOf({ id, card, settings, zoom, series, smoothed, values: shared.range, urgency }),
    zoomed: computed(() => zoom.value.x !== null || zoom.value.y !== null),
    empty: emptinessOf(series),
    chart: { current: null },
    close: () =>
      batch(() => {
        releasePointer(id);
        stopMeasuring();
        fitted.close();
        series.close();
        shared.close();
      }),
  };
}

type QuestionSource = Pick<CardModel, "card" | "widthPx" | "settings"> & {
  readonly zoom: ReadonlySignal<ReturnType<typeof zoomOf>>;
  readonly middle: ReadonlySignal<Range | null>;
};

function questionOf({ card, widthPx, settings, zoom, middle }: QuestionSource): ReadonlySignal<SeriesQuestion> {
  return computed<SeriesQuestion>(() => {
    const { x, xScale, yScale, rewinds } = settings.value;
    // a zoom made on a linear axis may lie where a logarithmic one has no place
    const range = xScale === "log" && (zoom.value.x?.[1] ?? 1) <= 0 ? null : zoom.value.x;
    const plotPx = Math.max(LEAST_PX, widthPx.value - MARGINS_PX);
    return {
      tags: card.value.tags,
      runs: drawnRuns.value,
      allRuns: allDrawn.value,
      x,
      xScale,
      range,
      widthPx: Math.round(range === null ? plotPx * DATA_SHARE : plotPx),
      smoothing: smoothingQuestion(settings.value),
      rewinds,
      exact: needsExact(zoom.value.y, middle.value, yScale),
      // without a band each line is drawn, in the color of its group
      group: band.value === "none" || card.value.edges !== undefined ? "" : group.value,
      band: band.value === "none" ? "std" : band.value,
      edges: card.value.edges,
    };
  });
}

/**
 * The layers that y is fitted to. A slider that moves changes the smoothed lines alone, many times: y keeps its range,
 * and the faint lines their picture, until it rests.
 */
function fittedLayers(layers: ReadonlySignal<readonly HeldLayer[]>): {
  readonly layers: ReadonlySignal<readonly HeldLayer[]>;
  readonly close: () => void;
} {
  const fitted = signal(layers.peek());
  const close = layers.subscribe((now) => {
    if (now.at(-1)?.draft !== true) fitted.value = now;
  });
  return { layers: fitted, close };
}

/** The range of y: the card's own, or that of all cards of its section. Others see the card's until it is closed. */
function shareExtent(
  id: string,
  card: ReadonlySignal<Card>,
  extent: ReadonlySignal<Range | null>,
): { readonly range: ReadonlySignal<Range | null>; readonly close: () => void } {
  const section = computed(() => sectionOfCard(card.value, sectionBy.value));
  const range = computed<Range | null>(() => {
    if (!shareY.value) return extent.value;
    const mine = [...extents.value.values()].filter((one) => one.section === section.value);
    return union([extent.value, ...mine.map((one) => one.range)]);
  });
  const stopSharing = extent.subscribe((now) => {
    const before = extents.peek().get(id);
    if (before?.range?.[0] === now?.[0] && before?.range?.[1] === now?.[1] && before !== undefined) return;
    extents.value = new Map(extents.peek()).set(id, { section: section.peek(), range: now });
  });
  const close = (): void => {
    stopSharing();
    const others = new Map(extents.peek());
    others.delete(id);
    extents.value = others;
  };
  return { range, close };
}

function emptinessOf(series: Series): ReadonlySignal<boolean> {
  return computed(() => {
    const layers = series.layers.value;
    if (series.held.value === null) return false;
    return !layers.some(
      ({ lines }) =>
        lines.groups.some(({ edges }) => edges === undefined) ||
        lines.run.some((at) => drawnSet.value.has(lines.runs[at] ?? "")),
    );
  });
}

/** A card that goes from under the pointer gets no event that the pointer has left it. */
function releasePointer(card: string): void {
  if (crosshair.peek()?.card === card) crosshair.value = null;
  if (emphasised.peek()?.card === card) emphasised.value = null;
}
