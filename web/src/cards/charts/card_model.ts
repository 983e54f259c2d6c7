// State of one rendered card: the lines it requests, the lines it has, the visible range. Created when the card gets
// near the viewport, closed when it leaves. card_scene.ts computes what is drawn.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { UnsizedScene } from "../../chart/scene";
import type { Chart, Layer } from "../../chart/types";
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
  /** Unique among all cards on the page: the same tag may be shown twice. */
  readonly id: string;
  readonly card: Signal<Card>;
  readonly widthPx: Signal<number>;
  readonly settings: ReadonlySignal<ChartSettings>;
  readonly question: ReadonlySignal<SeriesQuestion>;
  readonly series: Series;
  readonly scene: ReadonlySignal<UnsizedScene>;
  /** The layers of the scene: unlike the scene, they do not change while the pointer moves. */
  readonly styled: ReadonlySignal<readonly Layer[]>;
  readonly zoomed: ReadonlySignal<boolean>;
  /** The response has arrived and has no line of a drawn run. */
  readonly empty: ReadonlySignal<boolean>;
  readonly chart: { current: Chart | null };
  readonly close: () => void;
};

const group = member("group");
const band = member("band");
const shareY = member("shareY");
const sectionBy = member("sectionBy");

// width of the y axis and the margins of a card
const MARGINS_PX = 64;
const LEAST_PX = 40;

/** Value ranges of the rendered cards with their sections, for a shared y axis. */
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
  /** Value range from the first response without outliers; decides whether thinned columns are precise enough. */
  const middle = signal<Range | null>(null);

  const question = questionOf({ card, widthPx, settings, zoom, middle });
  const wanted = computed(() => (card.value.tags.length === 0 ? null : question.value));
  const series = openSeries(wanted, urgency);
  const smoothed = computed(() => (series.held.value?.smoothing ?? "") !== "");

  const fitted = fittedLayers(series.layers);
  const extent = computed<Range | null>(() =>
    valueExtent(fitted.layers.value, { ...settings.value, smoothed: smoothed.value }),
  );
  const shared = shareExtent(id, card, extent);
  const stopMeasuring = series.layers.subscribe((layers) => {
    const range = valueExtent(layers, { smoothed: smoothed.peek(), faint: false, ignoreOutliers: true });
    if (series.held.peek()?.range === null || middle.peek() === null) middle.value = range;
  });

  const scene = sceneOf({ id, card, settings, zoom, series, smoothed, values: shared.range, urgency });

  return {
    id,
    card,
    widthPx,
    settings,
    question,
    series,
    scene,
    styled: computed(() => scene.value.layers),
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
    // a zoom made on a linear axis may be negative, which a logarithmic axis cannot show
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
      // without a band each run has its own line, in the color of its group
      group: band.value === "none" || card.value.edges !== undefined ? "" : group.value,
      band: band.value === "none" ? "std" : band.value,
      edges: card.value.edges,
    };
  });
}

/**
 * Returns the layers that the y axis is fitted to. While the smoothing slider moves, only smoothed lines change: the
 * y range and the picture of the unsmoothed lines stay until it stops.
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

/** Returns the y range of the card or of all cards of its section. Shares the card's range until it is closed. */
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

/** Called on close: a card removed under the pointer gets no pointerleave event. */
function releasePointer(card: string): void {
  if (crosshair.peek()?.card === card) crosshair.value = null;
  if (emphasised.peek()?.card === card) emphasised.value = null;
}
