// Everything one card on the page knows: which lines it wants, what it holds, over which stretch it is drawn. Made when
// the card comes into sight, closed when it leaves.

import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Axis, AxisFormat, Chart, Layer, Scene } from "../../chart/types";
import { type Card, sectionOfCard } from "../../state/cards";
import { DATA_SHARE, needsExact, union, valueExtent, xDomain, xExtent, yDomain } from "../../state/domain";
import { allDrawn, drawnSet } from "../../state/drawn";
import { colorOf, colorOfGroup, dashOf, drawnRuns, emphasisedRun } from "../../state/runs";
import { settingsIn, zoomOf } from "../../state/scopes";
import { type HeldLayer, isCoarse, openSeries, type Series } from "../../state/series";
import type { SeriesQuestion } from "../../state/series_plan";
import { type ChartSettings, type Range, smoothingQuestion } from "../../state/settings";
import { language, member } from "../../state/view";
import { CHART_FONT, chartColors } from "../chart_colors";
import { keepSame, type LayerStyles, stylesOf } from "./styles";

export type CardModel = {
  /** Its own among all cards on the page: the same tag may be shown twice. */
  readonly id: string;
  readonly card: Signal<Card>;
  readonly widthPx: Signal<number>;
  readonly settings: ReadonlySignal<ChartSettings>;
  readonly question: ReadonlySignal<SeriesQuestion>;
  readonly series: Series;
  readonly scene: ReadonlySignal<Omit<Scene, "widthPx" | "heightPx" | "ratio">>;
  readonly zoomed: ReadonlySignal<boolean>;
  /** No line of a drawn run is there, although the answer is. */
  readonly empty: ReadonlySignal<boolean>;
  readonly chart: { current: Chart | null };
  readonly close: () => void;
};

/** x under the cursor, for the cards that share it. */
export const crosshair = signal<{ readonly x: string; readonly at: number; readonly card: string } | null>(null);

/** The line under the cursor in one card. */
export const emphasised = signal<{ readonly card: string; readonly layer: number; readonly series: number } | null>(
  null,
);

const group = member("group");
const band = member("band");
const linkCrosshair = member("linkCrosshair");
const shareY = member("shareY");
const sectionBy = member("sectionBy");
const steps = member("steps");
const stepTable = member("stepTable");

// what the axis and the edges take of a card's width
const MARGINS_PX = 64;
const LEAST_PX = 40;
// more dots than this are clutter
const MOST_LAST_POINTS = 30;

const FORMATS: Readonly<Record<string, AxisFormat>> = { step: "step", relative: "relative", wall: "wall" };

/** Value extents of the cards on the page by section, for a y axis they share. */
const extents = signal<ReadonlyMap<string, { readonly section: string | null; readonly range: Range | null }>>(
  new Map(),
);

let models = 0;

export function openCard(first: Card, firstWidthPx: number, urgency: () => number): CardModel {
  const id = String(++models);
  const card = signal(first);
  const widthPx = signal(firstWidthPx);
  const chart: { current: Chart | null } = { current: null };
  const settings = unchanged(() => settingsIn({ kind: "card", card: card.value.key }));
  const zoom = unchanged(() => zoomOf(card.value.key));
  const section = computed(() => sectionOfCard(card.value, sectionBy.value));
  const middle = signal<Range | null>(null);

  const question = computed<SeriesQuestion>(() => {
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
      // without a band each line is drawn, in the colour of its group
      group: band.value === "none" || card.value.edges !== undefined ? "" : group.value,
      band: band.value === "none" ? "std" : band.value,
      edges: card.value.edges,
    };
  });
  const wanted = computed(() => (card.value.tags.length === 0 ? null : question.value));
  const series = openSeries(wanted, urgency);

  const smoothed = computed(() => (series.held.value?.smoothing ?? "") !== "");

  const measured = fittedLayers(series.layers);
  const extent = computed<Range | null>(() =>
    valueExtent(measured.layers.value, smoothed.value, settings.value.ignoreOutliers),
  );

  const shared = computed<Range | null>(() => {
    if (!shareY.value) return extent.value;
    const mine = [...extents.value.values()].filter((one) => one.section === section.value);
    return union([extent.value, ...mine.map((one) => one.range)]);
  });

  let stylesBefore: readonly (LayerStyles & { readonly id: number })[] = [];
  const drawnLayers = computed<readonly Layer[]>(() => {
    const look = {
      colorOf: colorOf.value,
      colorOfGroup: colorOfGroup.value,
      dashOf: dashOf.value,
      isDrawn: (run: string) => drawnSet.value.has(run),
      tags: card.value.tags,
    };
    const held = series.layers.value;
    const now = held.map((layer) => {
      // the answer to a slider has the series of the one before
      const before = stylesBefore.find(({ id: known }) => known === layer.id) ?? stylesBefore.at(-1);
      const styles = keepSame(before, stylesOf(layer, look));
      return { id: layer.id, ...styles, part: layer.part, coarse: isCoarse(layer) };
    });
    stylesBefore = now;
    return now;
  });

  const x = unchanged<Axis>(() => {
    const { x: kind, xScale } = settings.value;
    const [lo, hi] = zoom.value.x ?? xDomain(xExtent(series.layers.value), xScale);
    return { scale: xScale, lo, hi, format: FORMATS[kind] ?? "number" };
  });
  const y = unchanged<Axis>(() => {
    const { yScale } = settings.value;
    const [lo, hi] = zoom.value.y ?? yDomain(shared.value, yScale);
    const axis = { scale: yScale, lo, hi, format: "number" } as const;
    return yScale === "symlog" ? { ...axis, constant: symlogConstant([lo, hi]) } : axis;
  });

  const mark = computed(() => {
    const own = settings.value.x;
    const at = crosshair.value;
    // cards out of sight are spared
    if (at === null || at.x !== own || urgency() >= 1) return null;
    return linkCrosshair.value || at.card === id ? at.at : null;
  });

  const selection = computed(() => {
    const chosen = steps.value;
    if (chosen === null || !stepTable.value || settings.value.x !== "step") return null;
    return chosen.hi === null
      ? ({ kind: "step", at: chosen.lo } as const)
      : ({ kind: "range", lo: chosen.lo, hi: chosen.hi } as const);
  });

  const standsOut = computed(() => {
    const near = emphasised.value;
    if (near !== null) return near.card === id ? { layer: near.layer, series: near.series } : null;
    const run = emphasisedRun.value;
    if (run === null) return null;
    for (const { id: layer, lines, part } of series.layers.value) {
      if (part === "raw") continue;
      const place = lines.run.findIndex((at) => lines.runs[at] === run);
      if (place !== -1) return { layer, series: place };
    }
    return null;
  });

  const scene = unchanged<CardModel["scene"]["value"]>(() => {
    const { faint, markers, edgeMarks, partition } = settings.value;
    return {
      x: x.value,
      y: y.value,
      layers: drawnLayers.value,
      smoothed: smoothed.value,
      faint,
      markers,
      outlierMarks: edgeMarks,
      partition,
      lastPoint: drawnRuns.value.length <= MOST_LAST_POINTS,
      selection: selection.value,
      crosshair: mark.value,
      emphasised: standsOut.value,
      colors: chartColors.value,
      font: CHART_FONT,
      locale: language.value,
    };
  });

  const empty = computed(() => {
    const held = series.layers.value;
    if (series.held.value === null) return false;
    return !held.some(
      ({ lines }) =>
        lines.groups.some(({ edges }) => edges === undefined) ||
        lines.run.some((at) => drawnSet.value.has(lines.runs[at] ?? "")),
    );
  });

  const stopSharing = extent.subscribe((range) => {
    const before = extents.peek().get(id);
    if (before?.range?.[0] === range?.[0] && before?.range?.[1] === range?.[1] && before !== undefined) return;
    extents.value = new Map(extents.peek()).set(id, { section: section.peek(), range });
  });
  // the middle of the values decides whether columns are fine enough; it is known with the first answer
  const stopMeasuring = series.layers.subscribe((now) => {
    const range = valueExtent(now, smoothed.peek(), true);
    if (series.held.peek()?.range === null || middle.peek() === null) middle.value = range;
  });

  return {
    id,
    card,
    widthPx,
    settings,
    question,
    series,
    scene,
    zoomed: computed(() => zoom.value.x !== null || zoom.value.y !== null),
    empty,
    chart,
    close: () =>
      batch(() => {
        // a card that goes from under the pointer is not told that the pointer has left it
        if (crosshair.peek()?.card === id) crosshair.value = null;
        if (emphasised.peek()?.card === id) emphasised.value = null;
        stopSharing();
        stopMeasuring();
        measured.close();
        series.close();
        const left = new Map(extents.peek());
        left.delete(id);
        extents.value = left;
      }),
  };
}

/**
 * The lines y is fitted to. A slider that moves changes the smoothed lines alone, many times: y keeps its range, and the
 * faint lines their picture, until it rests.
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

/** The object of before while its members are the same: what depends on it rests. */
function unchanged<T extends object>(read: () => T): ReadonlySignal<T> {
  let last: T | null = null;
  return computed(() => {
    const next = read();
    const before = last;
    const same = before !== null && (Object.keys(next) as (keyof T)[]).every((name) => next[name] === before[name]);
    if (!same) last = next;
    return same ? before : next;
  });
}

/** Values below it are told apart linearly: a thousandth of what is shown, as a power of ten. */
function symlogConstant([lo, hi]: Range): number {
  const most = Math.max(Math.abs(lo), Math.abs(hi));
  return most > 0 ? 10 ** Math.floor(Math.log10(most) - 3) : 1;
}
