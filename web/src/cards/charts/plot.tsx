// The chart of a card with its overlays: messages (loading, failed, empty) and the form for the limits of its axes.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { LineChart } from "../../chart/line_chart";
import type { Chart, Range as ChartRange, Selection } from "../../chart/types";
import { drawnRuns } from "../../state/runs";
import { zoomCard } from "../../state/scopes";
import type { Range } from "../../state/settings";
import { changeView, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { AxisLimits } from "./axis_limits";
import type { CardModel } from "./card_model";
import { clickCard, hoverCard, leaveCard, refreshTip } from "./tooltip_state";

function rangeOf(zoom: ChartRange | null | undefined): Range | null | undefined {
  return zoom === null || zoom === undefined ? zoom : [zoom.lo, zoom.hi];
}

function select(selection: Selection | null): void {
  if (selection === null) changeView({ steps: null });
  else if (selection.kind === "step") changeView({ steps: { lo: selection.at, hi: null } });
  else changeView({ steps: { lo: selection.lo, hi: selection.hi } });
}

export function Plot({ model }: { readonly model: CardModel }): JSX.Element {
  const words = texts.value.timeseries;
  const { series, card } = model;
  const layers = series.layers.value;
  const takeChart = useCallback(
    (chart: Chart | null) => {
      model.chart.current = chart;
      if (chart === null) leaveCard(model);
    },
    [model],
  );
  useEffect(() => refreshTip(model), [model, layers]);
  return (
    <>
      <LineChart
        scene={model.scene.value}
        layersSource={layers}
        chartRef={takeChart}
        label={words.chartLabel(card.value.title, drawnRuns.value.length)}
        hint={words.wheelHint}
        onZoom={(x, y) => {
          // on a double-click: its first click has frozen the tooltip
          if (x === null && y === null) leaveCard(model);
          zoomCard(card.peek().key, rangeOf(x), rangeOf(y));
        }}
        onGestureEnd={() => {}}
        onHover={(hover) => hoverCard(model, hover)}
        onClick={(hover, event) => clickCard(model, hover, event)}
        onSelection={select}
      />
      <Overlay model={model} />
      <LimitsButton model={model} />
    </>
  );
}

function Overlay({ model }: { readonly model: CardModel }): JSX.Element | null {
  const words = texts.value.timeseries;
  const { problem, layers, busy, held } = model.series;
  if (problem.value !== null && layers.value.length === 0) {
    return (
      <div class="card__message" role="alert">
        <strong>{words.failed}</strong>
        <span>{problem.value.message}</span>
        {problem.value.hint !== "" && <span>{problem.value.hint}</span>}
        <Button label={words.retry} title={words.retry} onClick={model.series.retry} />
      </div>
    );
  }
  if (drawnRuns.value.length === 0 || model.card.value.tags.length === 0 || model.empty.value) {
    return <div class="card__message card__message--quiet">{words.noData}</div>;
  }
  if (held.value === null) return <div class="card__skeleton" role="status" aria-label={words.loading} />;
  return busy.value ? <div class="card__busy" /> : null;
}

function LimitsButton({ model }: { readonly model: CardModel }): JSX.Element {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="card__limits"
        title={words.limits}
        aria-label={words.limits}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="edit" />
        <span class="card__limits-word">{words.limits}</span>
      </button>
      {open.value && button.current !== null && (
        <AxisLimits
          model={model}
          anchor={button.current}
          onClose={() => {
            open.value = false;
          }}
        />
      )}
    </>
  );
}
