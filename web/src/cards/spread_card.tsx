// Content of a card with histograms or percentiles over time: the chart, its overlays and the tooltip.

import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { SpreadChart } from "../chart/spread";
import type { SpreadDrawn, SpreadLook, SpreadPick, SpreadScene } from "../chart/spread_types";
import { type Hover, SpreadView, type SpreadViewProps } from "../chart/spread_view";
import type { SpreadZoom } from "../state/members/shared";
import { colorOf, shownName } from "../state/runs";
import type { Spread, SpreadKind } from "../state/spreads";
import { choiceOf, choosePageStep, linkedStep, pageStep } from "../state/step_choice";
import type { SeriesSteps } from "../state/steps";
import * as histogramsWords from "../state/texts/histograms";
import { changeView, language, member, spoken } from "../state/view";
import { Button } from "../widgets/button";
import { CardProblem } from "./card_frame";
import { CHART_FONT, chartColors } from "./chart_colors";
import { HoverTip } from "./hover_tip";
import type { KindCardProps } from "./kind_card";
import "./spread_card.css";
import { limitFor, type Stretch, stepsWithin, type TimeAxisName, timeAt } from "./spread_range";
import { type Held, useSpread } from "./use_spread";

export type SpreadTip = { readonly spread: Spread; readonly pick: SpreadPick; readonly series: SeriesSteps };

type Properties = {
  readonly of: KindCardProps;
  readonly kind: SpreadKind;
  readonly look: SpreadLook;
  readonly axis: TimeAxisName;
  readonly bins: "even" | "logged";
  readonly logCounts: boolean;
  readonly tip: (tip: SpreadTip) => JSX.Element;
};

/** Rendered charts by card key, for the menus of their cards. */
const onDisplay = new Map<string, { readonly chart: SpreadChart; readonly scene: SpreadScene }>();

export function pictureOf(cardKey: string, title: string, kind: "png" | "svg"): Promise<Blob> | null {
  const shown = onDisplay.get(cardKey);
  return shown === undefined ? null : shown.chart.picture(shown.scene, title, kind, PICTURE_RATIO);
}

const PICTURE_RATIO = 2;

// Minimum size in pixels: height of a ridge, width of a column of a heat map or of a point of percentiles.
const PX_PER_STEP: Readonly<Record<SpreadLook, number>> = { offset: 4.5, overlay: 5, heat: 3, percentiles: 1.5 };

// the longest time between the clicks of a double-click
const DOUBLE_MS = 1000;

const marks = member("steps");
const marking = member("stepTable");
const linked = member("linkSteps");

export function SpreadCard(properties: Properties): JSX.Element {
  const { of, kind, look, axis } = properties;
  const { card, series, widthPx, heightPx } = of;
  const words = spoken(histogramsWords);
  const zoom = zoomOf(kind, card.key);
  const choice = choiceOf(card.key, series.steps);
  const within = markedRange(axis, series);
  const chosenAt = choice.by === "newest" || within !== null ? null : choice.at;
  const alongPx = look === "offset" || look === "overlay" ? heightPx : widthPx;
  const times = useMemo(() => stretchOf(zoom?.times), [zoom?.times]);
  const values = useMemo(() => stretchOf(zoom?.values), [zoom?.values]);
  const limit = limitFor(alongPx, PX_PER_STEP[look]);
  const held = useSpread(kind, card, series, { axis, times, limit, chosen: chosenAt });
  const scene = useScene(properties, { values, times, within, chosen: held.chosen });
  const { spread } = held;
  if (spread === null) {
    return held.problem !== null ? (
      <CardProblem title={words.failed} message={held.problem.message} onRetry={held.retry} />
    ) : (
      <div class="card__skeleton" role="status" aria-label={words.loading} />
    );
  }
  if (spread.steps.length === 0) {
    return (
      <div class="card__message" role="status">
        <strong>{words.none}</strong>
        <span>{words.noneHint}</span>
      </div>
    );
  }
  return <Loaded properties={properties} held={held} spread={spread} scene={scene} />;
}

type UnsizedScene = SpreadViewProps["scene"];

function useScene(
  { of: { card, series }, look, axis, bins, logCounts }: Properties,
  { values, times, within, chosen }: Pick<UnsizedScene, "values" | "times" | "within" | "chosen">,
): UnsizedScene {
  const color = colorOf.value(card.run);
  const colors = chartColors.value;
  const locale = language.value;
  const origin = series.walls[0] ?? 0;
  return useMemo(
    () => ({
      font: CHART_FONT,
      locale,
      colors,
      color,
      look,
      time: { axis, origin },
      values,
      times,
      bins,
      logCounts,
      chosen,
      within,
    }),
    [locale, colors, color, look, axis, origin, values, times, bins, logCounts, chosen, within?.lo, within?.hi],
  );
}

type LoadedProps = {
  readonly properties: Properties;
  readonly held: Held;
  readonly spread: Spread;
  readonly scene: UnsizedScene;
};

type Counted = Pick<SpreadDrawn, "steps" | "empty">;

/** The chart, with messages and the tooltip over it. */
function Loaded({ properties, held, spread, scene }: LoadedProps): JSX.Element {
  const { of, kind, axis, tip } = properties;
  const { card, series } = of;
  const { times } = scene;
  const words = spoken(histogramsWords);
  const [pointed, setPointed] = useState<{ readonly pick: SpreadPick; readonly hover: Hover } | null>(null);
  const [drawn, setDrawn] = useState<Counted | null>(null);
  const inside = useMemo(
    () => (times === null ? series.steps.length : (stepsWithin(axis, series, times)?.points ?? 0)),
    [axis, series, times],
  );
  const clicks = useClicks(spread);
  const read = pointed === null || pointed.pick.at >= spread.steps.length ? null : pointed;
  return (
    <div class="spread-card">
      <SpreadView
        scene={scene}
        data={spread}
        step={scene.chosen === null ? "" : String(spread.exact[scene.chosen])}
        label={words.chartLabel(card.tag, shownName(card.run))}
        hint={words.hint}
        chartRef={(chart, size) => {
          if (chart === null) onDisplay.delete(card.key);
          else if (size !== null) onDisplay.set(card.key, { chart, scene: { ...scene, ...size, pointed: null } });
        }}
        onZoom={(across, along) => {
          if (across === null && along === null) clicks.takeBack();
          zoomTo(kind, card.key, across, along);
        }}
        onPoint={(pick, hover) => setPointed(pick === null || hover === null ? null : { pick, hover })}
        onClick={({ at }) => clicks.choose(at)}
        onDrawn={({ steps, empty }) =>
          // most redraws change neither value: keep the object to avoid a render
          setDrawn((old) => (old?.steps === steps && old.empty === empty ? old : { steps, empty }))
        }
      />
      <Corner properties={properties} held={held} spread={spread} drawn={drawn} inside={inside} />
      {inside === 0 && <div class="spread-card__note">{words.nothingInside}</div>}
      {inside !== 0 && drawn?.empty === true && <div class="spread-card__note">{words.empty}</div>}
      {held.busy && <div class="card__busy" />}
      {read !== null && <HoverTip at={read.hover}>{tip({ spread, pick: read.pick, series })}</HoverTip>}
    </div>
  );
}

/** A click marks a step for all cards of the page. */
function useClicks(spread: Spread): { readonly choose: (at: number) => void; readonly takeBack: () => void } {
  const last = useRef<{ readonly before: string; readonly at: number } | null>(null);
  return {
    choose: (at) => {
      const step = spread.exact[at];
      last.current = { before: pageStep.peek(), at: performance.now() };
      // a second click on the marked step removes the mark
      if (step !== undefined) choosePageStep(String(step) === pageStep.peek() ? null : step);
    },
    // called on a double-click: undoes the mark that its first click set
    takeBack: () => {
      const { before, at } = last.current ?? { before: "", at: Number.NEGATIVE_INFINITY };
      if (performance.now() - at < DOUBLE_MS) choosePageStep(before);
      last.current = null;
    },
  };
}

type CornerProps = Omit<LoadedProps, "scene"> & {
  readonly drawn: Counted | null;
  /** Number of steps inside the zoomed range. */
  readonly inside: number;
};

function Corner({ properties, held, spread, drawn, inside }: CornerProps): JSX.Element {
  const words = spoken(histogramsWords);
  const { kind, of } = properties;
  return (
    <div class="spread-card__corner">
      {held.problem !== null && (
        <Button
          kind="quiet"
          icon="warning"
          title={`${words.failed}: ${held.problem.message}`}
          testId="spread-retry"
          onClick={held.retry}
        />
      )}
      {spread.odd > 0 && (
        <span class="spread-card__shown" title={words.noneHint}>
          {words.odd(spread.odd)}
        </span>
      )}
      {drawn !== null && drawn.steps + spread.odd < inside && (
        <span class="spread-card__shown" title={words.shownHint}>
          {words.shown(drawn.steps, inside)}
        </span>
      )}
      {zoomOf(kind, of.card.key) !== undefined && (
        <Button
          kind="quiet"
          icon="reset"
          title={words.resetZoom}
          testId="reset-zoom"
          onClick={() => zoomTo(kind, of.card.key, null, null)}
        />
      )}
    </div>
  );
}

function stretchOf(ends: readonly [number, number] | undefined): Stretch | null {
  return ends === undefined ? null : { lo: ends[0], hi: ends[1] };
}

/** Returns the range marked on the time series page, in units of the card's time axis. */
function markedRange(axis: TimeAxisName, series: SeriesSteps): Stretch | null {
  const marked = marking.value && linked.value && linkedStep.value !== null ? marks.value : null;
  if (marked === null || marked.hi === null) return null;
  if (axis === "step") return { lo: marked.lo, hi: marked.hi };
  const range: { lo: number; hi: number } = { lo: Number.POSITIVE_INFINITY, hi: Number.NEGATIVE_INFINITY };
  for (let i = 0; i < series.steps.length; i++) {
    const step = Number(series.steps[i]);
    if (step < marked.lo || step > marked.hi) continue;
    range.lo = Math.min(range.lo, timeAt(axis, series, i));
    range.hi = Math.max(range.hi, timeAt(axis, series, i));
  }
  return range.lo <= range.hi ? range : null;
}

// ---- zooms, in the view

const ZOOMS = {
  histograms: { name: "histogramsZoom", of: member("histogramsZoom") },
  distributions: { name: "distributionsZoom", of: member("distributionsZoom") },
} as const;

export function zoomOf(kind: SpreadKind, cardKey: string): SpreadZoom | undefined {
  return ZOOMS[kind].of.value[cardKey];
}

/** Zooms the axes; null: reset; undefined: unchanged. */
export function zoomTo(
  kind: SpreadKind,
  cardKey: string,
  values: Stretch | null | undefined,
  times: Stretch | null | undefined,
): void {
  const { [cardKey]: old, ...others } = ZOOMS[kind].of.peek();
  const ends = (now: Stretch | null | undefined, was: readonly [number, number] | undefined) =>
    now === undefined ? was : now === null ? undefined : ([now.lo, now.hi] as const);
  const next = { values: ends(values, old?.values), times: ends(times, old?.times) };
  const kept: SpreadZoom = {
    ...(next.values === undefined ? {} : { values: next.values }),
    ...(next.times === undefined ? {} : { times: next.times }),
  };
  const whole = kept.values === undefined && kept.times === undefined;
  changeView({ [ZOOMS[kind].name]: whole ? others : { ...others, [cardKey]: kept } });
}

export function anyZoom(kind: SpreadKind): boolean {
  return Object.keys(ZOOMS[kind].of.value).length > 0;
}

export function dropZooms(kind: SpreadKind): void {
  changeView({ [ZOOMS[kind].name]: {} });
}

/** Returns the zooms without their time ranges, which are invalid after the time axis changed; value ranges stay. */
export function withoutTimes(kind: SpreadKind): Readonly<Record<string, SpreadZoom>> {
  const kept = Object.entries(ZOOMS[kind].of.peek()).flatMap(([key, { values }]) =>
    values === undefined ? [] : [[key, { values }] as const],
  );
  return Object.fromEntries(kept);
}
