// The scene of a card: computes what the chart draws from settings, lines, zoom and pointer. Each function returns a
// signal; signals of objects keep the same object while its members are the same, which avoids needless redraws.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type LineLook, lookOf, type UnsizedScene } from "../../chart/scene";
import type { Axis, AxisFormat, Layer, Scene, Selection } from "../../chart/types";
import type { Card } from "../../state/cards";
import { xDomain, xExtent, yDomain } from "../../state/domain";
import { drawnSet } from "../../state/drawn";
import { colorOf, colorOfGroup, dashOf, drawnRuns, emphasisedRun } from "../../state/runs";
import type { zoomOf } from "../../state/scopes";
import { isCoarse, type Series } from "../../state/series";
import type { ChartSettings, Range } from "../../state/settings";
import { language, member } from "../../state/view";
import { CHART_FONT, chartColors } from "../chart_colors";
import { keepSame, type LayerStyles, stylesOf } from "./styles";

/** Inputs of a scene. */
export type SceneSource = {
  readonly id: string;
  readonly card: ReadonlySignal<Card>;
  readonly settings: ReadonlySignal<ChartSettings>;
  readonly zoom: ReadonlySignal<ReturnType<typeof zoomOf>>;
  readonly series: Series;
  /** The lines on display are smoothed. */
  readonly smoothed: ReadonlySignal<boolean>;
  /** The values that y is fitted to. */
  readonly values: ReadonlySignal<Range | null>;
  readonly urgency: () => number;
};

/** x under the cursor, for the cards that share it. */
export const crosshair = signal<{ readonly x: string; readonly at: number; readonly card: string } | null>(null);

/** The line under the cursor in one card. */
export const emphasised = signal<{ readonly card: string; readonly layer: number; readonly series: number } | null>(
  null,
);

const linkCrosshair = member("linkCrosshair");
const steps = member("steps");
const stepTable = member("stepTable");

// with more lines, dots at the last points would clutter the chart
const MOST_LAST_POINTS = 30;

const FORMATS: Readonly<Record<string, AxisFormat>> = { step: "step", relative: "relative", wall: "wall" };

export function sceneOf(source: SceneSource): ReadonlySignal<UnsizedScene> {
  const x = xAxis(source);
  const y = yAxis(source);
  const layers = drawnLayers(source);
  const lines = lineLook(source);
  const selection = selectionOf(source);
  const mark = crosshairOf(source);
  const line = emphasisedOf(source);
  return unchanged<UnsizedScene>(() => ({
    x: x.value,
    y: y.value,
    layers: layers.value,
    lines: lines.value,
    selection: selection.value,
    crosshair: mark.value,
    emphasised: line.value,
    colors: chartColors.value,
    font: CHART_FONT,
    locale: language.value,
  }));
}

function lineLook({ settings, smoothed }: SceneSource): ReadonlySignal<LineLook> {
  return unchanged(() =>
    lookOf({
      ...settings.value,
      smoothed: smoothed.value,
      lastPoint: drawnRuns.value.length <= MOST_LAST_POINTS,
    }),
  );
}

function drawnLayers({ card, series }: SceneSource): ReadonlySignal<readonly Layer[]> {
  let stylesBefore: readonly (LayerStyles & { readonly id: number })[] = [];
  return computed(() => {
    const look = {
      colorOf: colorOf.value,
      colorOfGroup: colorOfGroup.value,
      dashOf: dashOf.value,
      isDrawn: (run: string) => drawnSet.value.has(run),
      tags: card.value.tags,
    };
    const layers = series.layers.value.map((layer) => {
      // while a slider moves, the series stay the same
      const before = stylesBefore.find(({ id }) => id === layer.id) ?? stylesBefore.at(-1);
      const styles = keepSame(before, stylesOf(layer, look));
      return { id: layer.id, ...styles, part: layer.part, coarse: isCoarse(layer) };
    });
    stylesBefore = layers;
    return layers;
  });
}

function xAxis({ settings, zoom, series }: SceneSource): ReadonlySignal<Axis> {
  return unchanged<Axis>(() => {
    const { x, xScale } = settings.value;
    const [lo, hi] = zoom.value.x ?? xDomain(xExtent(series.layers.value), xScale);
    return { scale: xScale, lo, hi, format: FORMATS[x] ?? "number" };
  });
}

function yAxis({ settings, zoom, values }: SceneSource): ReadonlySignal<Axis> {
  return unchanged<Axis>(() => {
    const { yScale } = settings.value;
    const [lo, hi] = zoom.value.y ?? yDomain(values.value, yScale);
    const axis = { scale: yScale, lo, hi, format: "number" } as const;
    return yScale === "symlog" ? { ...axis, constant: symlogConstant([lo, hi]) } : axis;
  });
}

/** Returns the value below which the axis is linear: a thousandth of the range, rounded to a power of ten. */
function symlogConstant([lo, hi]: Range): number {
  const most = Math.max(Math.abs(lo), Math.abs(hi));
  return most > 0 ? 10 ** Math.floor(Math.log10(most) - 3) : 1;
}

function crosshairOf({ id, settings, urgency }: SceneSource): ReadonlySignal<number | null> {
  return computed(() => {
    const { x } = settings.value;
    const at = crosshair.value;
    // cards outside of the viewport ignore the pointer
    if (at === null || at.x !== x || urgency() >= 1) return null;
    return linkCrosshair.value || at.card === id ? at.at : null;
  });
}

function selectionOf({ settings }: SceneSource): ReadonlySignal<Selection | null> {
  return computed(() => {
    const chosen = steps.value;
    if (chosen === null || !stepTable.value || settings.value.x !== "step") return null;
    return chosen.hi === null ? { kind: "step", at: chosen.lo } : { kind: "range", lo: chosen.lo, hi: chosen.hi };
  });
}

/** Returns the line under the pointer in this card, or the line of the run under the pointer elsewhere. */
function emphasisedOf({ id, series }: SceneSource): ReadonlySignal<Scene["emphasised"]> {
  return computed(() => {
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
}

/** Returns a computed object that stays the same object while its members are the same. */
export function unchanged<T extends object>(read: () => T): ReadonlySignal<T> {
  let last: T | null = null;
  return computed(() => {
    const next = read();
    const before = last;
    const same = before !== null && (Object.keys(next) as (keyof T)[]).every((name) => next[name] === before[name]);
    if (!same) last = next;
    return same ? before : next;
  });
}
