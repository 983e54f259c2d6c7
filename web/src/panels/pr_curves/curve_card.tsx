// Content of a curve card: the chart of all drawn runs at their steps, and the table of runs below it.

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import { CHART_FONT, chartColors } from "../../cards/chart_colors";
import type { KindCardProps } from "../../cards/kind_page";
import { type Hover, LineChart } from "../../chart/line_chart";
import { plainScene, type UnsizedScene } from "../../chart/scene";
import type { Chart, Range as ChartRange, Layer, SeriesStyle } from "../../chart/types";
import type { CurvesZoom } from "../../state/members/pr_curves";
import { type Curve, followCurves } from "../../state/pr_curves";
import { colorOf, dashOf, emphasisedRun } from "../../state/runs";
import type { Range } from "../../state/settings";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { changeView, language, member, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import "./curve_card.css";
import { DOMAIN, frameOf, type Mode, placeOf, pointOf, shapeOf } from "./curve_shapes";
import { CurveTable, tableHeightPx } from "./curve_table";
import { CurveTip, type Tip, tipAt } from "./curve_tip";
import { charts } from "./downloads";
import { placesOf } from "./run_choice";

const mode = member("prCurvesMode");
const threshold = member("prCurvesThreshold");
const zooms = member("prCurvesZoom");

const NO_ZOOM: CurvesZoom = { x: null, y: null };
const LINE_PX = 1.75;
// height of the line that names the axes
const AXES_PX = 16;
// space for axis labels inside the chart
const MARGINS = { x: 56, y: 34 };

let lastId = 0;

type Source = { readonly id: number; readonly buffer: ArrayBuffer };

function sourceOf(lines: Parameters<typeof frameOf>[0]): Source {
  return { id: ++lastId, buffer: frameOf(lines) };
}

export function CurveCard({ card, all, widthPx, heightPx, full }: KindCardProps): JSX.Element {
  const words = spoken(prCurvesWords);
  const held = useSignal(all);
  useLayoutEffect(() => {
    held.value = all;
  }, [held, all]);
  const places = useComputed(() => placesOf(card.tag, held.value));
  const curves = useMemo(() => followCurves(places), [places]);
  useEffect(() => curves.close, [curves]);
  const tip = useSignal<Tip | null>(null);
  const shown = curves.shown.value;
  const problem = curves.problem.value;
  if (shown === null) {
    if (problem === null) return <div class="kind-card__skeleton" />;
    return <CardProblem title={words.failed} message={problem.message} onRetry={curves.retry} />;
  }
  const tablePx = tableHeightPx(shown.length, full, heightPx);
  const [xName, yName] = words.axes[mode.value];
  return (
    <>
      <div class="curve-card__axes" title={words.modeHints[mode.value]}>
        ↑ {yName}
      </div>
      <div class="curve-card__chart" data-drawn={shown.length} data-step={stepsOf(shown)} data-mode={mode.value}>
        <CurveChart
          cardKey={card.key}
          tag={card.tag}
          curves={shown}
          size={{ widthPx, heightPx: heightPx - tablePx - AXES_PX }}
          tip={tip}
        />
        <span class="curve-card__x-axis">{xName} →</span>
        {curves.busy.value && <div class="card__busy" />}
      </div>
      <CurveTable curves={shown} all={all} heightPx={tablePx} />
      {tip.value !== null && <CurveTip tip={tip.value} />}
    </>
  );
}

/** The steps on display, as a data attribute for tests. */
function stepsOf(curves: readonly Curve[]): string {
  return [...new Set(curves.map(({ place }) => place.step))].join(" ");
}

type ChartProps = {
  readonly cardKey: string;
  readonly tag: string;
  readonly curves: readonly Curve[];
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  readonly tip: Signal<Tip | null>;
};

function CurveChart({ cardKey, tag, curves, size, tip }: ChartProps): JSX.Element {
  const words = spoken(prCurvesWords);
  const kind = mode.value;
  const zoomKey = `${kind}|${cardKey}`;
  const zoom = zooms.value[zoomKey] ?? NO_ZOOM;
  const { scene, sources } = useScene({ curves, kind, marked: threshold.value, zoom, ...useLines(curves, kind), tip });
  const chart = useRef<Chart | null>(null);
  const now = useRef(scene);
  now.current = scene;
  useEffect(() => charts.add(cardKey, { chart, scene: now, curves, mode: kind, tag }), [cardKey, curves, kind, tag]);
  const hovered = (hover: Hover): Tip | null => {
    const scale = {
      x: Math.max(50, size.widthPx - MARGINS.x) / (scene.x.hi - scene.x.lo),
      y: Math.max(50, size.heightPx - MARGINS.y) / (scene.y.hi - scene.y.lo),
    };
    return tipAt(curves, kind, hover, scale);
  };
  return (
    <>
      <LineChart
        scene={scene}
        layersSource={sources}
        chartRef={(opened) => {
          chart.current = opened;
        }}
        label={words.chartLabel(tag, words.modes[kind], curves.length)}
        hint={words.wheelHint}
        onZoom={(x, y) => changeZoom(zoomKey, zoom, rangeOf(x), rangeOf(y))}
        onGestureEnd={() => {}}
        onHover={(hover) => {
          tip.value = hover === null ? null : hovered(hover);
        }}
        onClick={(hover) => {
          const near = hovered(hover)?.rows[0];
          if (near !== undefined) changeView({ prCurvesThreshold: near.curve.threshold[near.at] ?? null });
        }}
        onSelection={(selection) => {
          if (selection?.kind === "step")
            changeView({ prCurvesThreshold: Math.round(1000 * Math.min(1, Math.max(0, selection.at))) / 1000 });
        }}
      />
      {(zoom.x !== null || zoom.y !== null) && (
        <span class="curve-card__fit">
          <Button
            icon="reset"
            title={words.fit}
            testId="pr-fit"
            onClick={() => changeZoom(zoomKey, zoom, null, null)}
          />
        </span>
      )}
      <NothingDrawn curves={curves} kind={kind} />
    </>
  );
}

type Lines = { readonly lines: Source; readonly dots: Source | null; readonly guide: Source | null };

/** The curves, dots at the marked threshold, and the line of a random classifier. */
function useLines(curves: readonly Curve[], kind: Mode): Lines {
  const marked = threshold.value;
  const lines = useMemo(() => sourceOf(curves.map((curve) => shapeOf(curve, kind))), [curves, kind]);
  const dots = useMemo(
    () => (marked === null ? null : sourceOf(curves.map((curve) => dotOf(curve, kind, marked)))),
    [curves, kind, marked],
  );
  const guide = useMemo(() => (kind === "roc" ? sourceOf([CHANCE]) : null), [kind]);
  return { lines, dots, guide };
}

/** Undefined keeps the range of an axis; null shows its full range. */
function changeZoom(zoomKey: string, zoom: CurvesZoom, x: Range | null | undefined, y: Range | null | undefined): void {
  const next = { x: x === undefined ? zoom.x : x, y: y === undefined ? zoom.y : y };
  const { [zoomKey]: _, ...others } = view.value.prCurvesZoom;
  const whole = next.x === null && next.y === null;
  changeView({ prCurvesZoom: whole ? others : { ...others, [zoomKey]: next } });
}

/** Says why the chart is empty. */
function NothingDrawn({ curves, kind }: Pick<ChartProps, "curves"> & { readonly kind: Mode }): JSX.Element | null {
  const words = spoken(prCurvesWords);
  const drawable = curves.some((curve) => curve.problem === "");
  if (drawable && curves.some((curve) => shapeOf(curve, kind).length > 0)) return null;
  return (
    <div class="card__message card__message--quiet" role="status">
      {drawable ? words.noneDefined : words.allOdd}
    </div>
  );
}

/** ROC curve of a random classifier. */
const CHANCE = [
  { x: 0, y: 0 },
  { x: 1, y: 1 },
];

function dotOf(curve: Curve, kind: Mode, marked: number): readonly { readonly x: number; readonly y: number }[] {
  const point = pointOf(curve, kind, placeOf(curve, marked));
  return Number.isFinite(point.x) && Number.isFinite(point.y) ? [point] : [];
}

function rangeOf(zoom: ChartRange | null | undefined): Range | null | undefined {
  return zoom === null || zoom === undefined ? zoom : [zoom.lo, zoom.hi];
}

type SceneProps = {
  readonly curves: readonly Curve[];
  readonly kind: Mode;
  readonly marked: number | null;
  readonly zoom: CurvesZoom;
  readonly lines: Source;
  readonly dots: Source | null;
  readonly guide: Source | null;
  readonly tip: Signal<Tip | null>;
};

type Drawn = {
  readonly scene: UnsizedScene;
  readonly sources: readonly Source[];
};

const NO_STYLES: readonly SeriesStyle[] = [];

function useScene({ curves, kind, marked, zoom, lines, dots, guide, tip }: SceneProps): Drawn {
  const colors = chartColors.value;
  const color = colorOf.value;
  const dash = dashOf.value;
  const locale = language.value;
  const styles = useMemo(
    () =>
      curves.map(
        ({ place: { run } }): SeriesStyle => ({
          color: color(run),
          dash: dash(run),
          widthPx: LINE_PX,
          visible: true,
        }),
      ),
    [curves, color, dash],
  );
  const quiet = useMemo(
    (): readonly SeriesStyle[] => [{ color: colors.axis, dash: 2, widthPx: 1, visible: true }],
    [colors],
  );
  const near = tip.value?.rows[0]?.curve.place.run ?? emphasisedRun.value;
  const standsOut = near === null ? -1 : curves.findIndex(({ place }) => place.run === near);
  return useMemo((): Drawn => {
    const layers: Layer[] = [{ id: lines.id, styles, bands: NO_STYLES }];
    const sources = [lines];
    if (guide !== null) {
      layers.unshift({ id: guide.id, styles: quiet, bands: NO_STYLES });
      sources.push(guide);
    }
    if (dots !== null) {
      layers.push({ id: dots.id, styles, bands: NO_STYLES, dots: true });
      sources.push(dots);
    }
    const axis = (range: Range | null) => {
      const [lo, hi] = range ?? DOMAIN;
      return { scale: "linear", lo, hi, format: "number" } as const;
    };
    const scene = plainScene({
      x: axis(zoom.x),
      y: axis(zoom.y),
      layers,
      // over thresholds the mark is a vertical line with a handle
      selection: kind === "f1" && marked !== null ? { kind: "step", at: marked } : null,
      emphasised: standsOut === -1 ? null : { layer: lines.id, series: standsOut },
      colors,
      font: CHART_FONT,
      locale,
    });
    return { scene, sources };
  }, [kind, marked, zoom, lines, dots, guide, styles, quiet, standsOut, colors, locale]);
}
