// A small line chart of one metric in some runs: the chart of the time series page without its controls. It draws the
// given runs, whether they are shown on other pages or not.

import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { LineChart } from "../../chart/line_chart";
import { plainScene } from "../../chart/scene";
import type { Range as ChartRange } from "../../chart/types";
import { DATA_SHARE, valueExtent, xDomain, xExtent, yDomain } from "../../state/domain";
import { colorOf, colorOfGroup, dashOf } from "../../state/runs";
import { openSeries } from "../../state/series";
import type { SeriesQuestion } from "../../state/series_plan";
import type { Range } from "../../state/settings";
import { boardSettings, language } from "../../state/view";
import { CHART_FONT, chartColors } from "../chart_colors";
import { stylesOf } from "./styles";
import "./mini_chart.css";

const ALL_VALUES = { smoothed: false, faint: false, ignoreOutliers: false };

const CHART_PX = 250;

type Zoom = { readonly x: Range | null; readonly y: Range | null };
const WHOLE: Zoom = { x: null, y: null };

function openMini(tag: string, runs: readonly string[]) {
  const zoom = signal<Zoom>(WHOLE);
  const question = computed<SeriesQuestion>(() => ({
    tags: [tag],
    runs,
    allRuns: false,
    x: "step",
    xScale: "linear",
    range: zoom.value.x,
    widthPx: Math.round(CHART_PX * DATA_SHARE),
    smoothing: "",
    rewinds: boardSettings.value.rewinds,
    exact: zoom.value.y !== null,
    group: "",
    band: "std",
  }));
  const series = openSeries(question, () => 0);
  const scene = computed(() => {
    const layers = series.layers.value;
    const look = {
      colorOf: colorOf.value,
      colorOfGroup: colorOfGroup.value,
      dashOf: dashOf.value,
      isDrawn: () => true,
      tags: [tag],
    };
    const [xLo, xHi] = zoom.value.x ?? xDomain(xExtent(layers), "linear");
    const [yLo, yHi] = zoom.value.y ?? yDomain(valueExtent(layers, ALL_VALUES), "linear");
    return plainScene({
      x: { scale: "linear", lo: xLo, hi: xHi, format: "step" },
      y: { scale: "linear", lo: yLo, hi: yHi, format: "number" },
      layers: layers.map((layer) => ({ id: layer.id, ...stylesOf(layer, look), part: layer.part })),
      lines: { edgeMarks: true, partition: true, lastPoint: true },
      colors: chartColors.value,
      font: CHART_FONT,
      locale: language.value,
    });
  });
  return { zoom, series, scene };
}

type Properties = {
  readonly tag: string;
  readonly title: string;
  readonly runs: readonly string[];
  /** For screen readers. */
  readonly label: string;
  /** Shown instead of lines if no run has the metric. */
  readonly none: string;
  /** The last value, beside the title. */
  readonly value?: string | undefined;
};

export function MiniChart({ tag, title, runs, label, none, value }: Properties): JSX.Element {
  const key = `${tag}\n${runs.join("\n")}`;
  const model = useMemo(() => openMini(tag, runs), [key]);
  useEffect(() => model.series.close, [model]);
  const { problem, held, layers } = model.series;
  const empty = held.value !== null && layers.value.every(({ lines }) => lines.run.length === 0);
  const zoomTo = (edge: ChartRange | null | undefined, before: Range | null): Range | null =>
    edge === undefined ? before : edge === null ? null : [edge.lo, edge.hi];
  return (
    <figure class="mini-chart" data-testid="mini-chart">
      <figcaption title={tag}>
        <bdi>{title}</bdi>
        {value !== undefined && <span class="mini-chart__value">{value}</span>}
      </figcaption>
      <div class="mini-chart__plot">
        <LineChart
          scene={model.scene.value}
          layersSource={layers.value}
          label={label}
          onZoom={(x, y) => {
            model.zoom.value = { x: zoomTo(x, model.zoom.peek().x), y: zoomTo(y, model.zoom.peek().y) };
          }}
          onGestureEnd={() => {}}
          onHover={() => {}}
          onClick={() => {}}
        />
        {(problem.value !== null || empty) && (
          <div class="mini-chart__none">{problem.value === null ? none : problem.value.message}</div>
        )}
      </div>
    </figure>
  );
}
