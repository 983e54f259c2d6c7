// Details of one trial: links to its runs, all its values, and a chart for each metric.

import type { JSX } from "preact";
import { MiniChart } from "../../cards/charts/mini_chart";
import { RunName } from "../../cards/run_name";
import { hparamColumns, keep, metricColumns, runsOf } from "../../state/hparams";
import { tickOnly, toggleBaseline } from "../../state/runs";
import { trials } from "../../state/trials";
import { STATUSES, type TrialColumn } from "../../state/trials_columns";
import { changeView, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { openRun, Status } from "./trial_cells";
import "./trial_details.css";
import { columnTitle, formatCell, titleOf, whyAbsent, words } from "./words";

/** Height of the details below an open row. */
export const DETAILS_PX = 252;

const MOST_CHARTS = 12;
const MOST_VALUES = 400;
const MOST_COMPARED = 6;

export function TrialDetails({ trial }: { readonly trial: number }): JSX.Element {
  return (
    <section class="trial-details" aria-label={words().details(titleOf(trial))} data-testid="trial-details">
      <div class="trial-details__side">
        <Links trial={trial} />
        <Values trial={trial} />
      </div>
      <Charts trial={trial} />
    </section>
  );
}

/** Details of the selected trial, shown beside a picture. */
export function KeptTrial({ trial }: { readonly trial: number }): JSX.Element {
  const t = words();
  return (
    <aside
      class="trial-details trial-details--kept"
      aria-label={t.details(titleOf(trial))}
      data-testid="kept-trial"
      onKeyDown={(event) => {
        if (event.key === "Escape") keep(-1);
      }}
    >
      <header class="trial-details__head">
        <h2 title={titleOf(trial)}>
          <bdi>{titleOf(trial)}</bdi>
        </h2>
        <Button kind="quiet" icon="close" title={t.close} onClick={() => keep(-1)} />
      </header>
      <div class="trial-details__scroll">
        <Links trial={trial} />
        <Values trial={trial} />
        <Charts trial={trial} />
      </div>
    </aside>
  );
}

function Links({ trial }: { readonly trial: number }): JSX.Element {
  const t = words();
  const sessions = trials.value?.runs[trial] ?? [];
  const [run = ""] = sessions;
  const status = STATUSES[trials.value?.byId.get("status")?.numbers[trial] ?? 0] ?? "unknown";
  return (
    <div class="trial-details__links">
      {status !== "unknown" && <Status status={status} />}
      {sessions.slice(0, 5).map((one) => (
        <button
          key={one}
          type="button"
          class="trial-details__run"
          title={`${one}\n${t.openRun}`}
          onClick={() => openRun(one)}
        >
          <RunName run={one} />
        </button>
      ))}
      <Button
        kind="quiet"
        icon="right"
        label={t.openCharts}
        title={t.openCharts}
        testId="open-charts"
        onClick={() => {
          tickOnly(runsOf(trial));
          changeView({ page: "timeseries" }, { entry: true });
        }}
      />
      {sessions.length > 1 && sessions.length <= MOST_COMPARED && (
        <Button
          kind="quiet"
          icon="compare"
          label={t.compare}
          title={t.compare}
          onClick={() => changeView({ page: "compare", of: sessions }, { entry: true })}
        />
      )}
      <Button
        kind="quiet"
        icon="star"
        label={t.baseline}
        title={t.baseline}
        pressed={view.value.baseline === run}
        onClick={() => toggleBaseline(run)}
      />
    </div>
  );
}

/** Lists the existing values first, then the missing ones with the reason. */
function Values({ trial }: { readonly trial: number }): JSX.Element {
  const all = [...metricColumns.value, ...hparamColumns.value];
  const isThere = ({ numbers }: TrialColumn): boolean => !Number.isNaN(numbers[trial] ?? Number.NaN);
  const inOrder = [...all.filter(isThere), ...all.filter((column) => !isThere(column))];
  return (
    <dl class="trial-details__values">
      {inOrder.slice(0, MOST_VALUES).map((column) => (
        <Value key={column.id} column={column} trial={trial} />
      ))}
    </dl>
  );
}

function Value({ column, trial }: { readonly column: TrialColumn; readonly trial: number }): JSX.Element {
  const text = formatCell(column, trial);
  const step = column.steps?.[trial] ?? -1;
  return (
    <>
      <dt title={column.name}>
        <bdi>{columnTitle(column)}</bdi>
      </dt>
      <dd title={step >= 0 ? words().atStep(String(step)) : undefined}>
        {text === "" ? <span class="trial-details__absent">{whyAbsent(column, trial)}</span> : <bdi>{text}</bdi>}
      </dd>
    </>
  );
}

function Charts({ trial }: { readonly trial: number }): JSX.Element {
  const t = words();
  // a metric without a value in this trial has no line
  const shown = metricColumns.value.filter((column) => !isNeverLogged(column, trial)).slice(0, MOST_CHARTS);
  const runs = runsOf(trial);
  return (
    <div class="trial-details__charts">
      {shown.length === 0 && <p class="trial-details__absent">{t.noMetricCharts}</p>}
      {shown.map((column) => (
        <MiniChart
          key={column.id}
          tag={column.name}
          title={columnTitle(column)}
          runs={runsWith(runs, column, trial)}
          label={t.chart(columnTitle(column))}
          none={t.noSeries}
        />
      ))}
    </div>
  );
}

function isNeverLogged(column: TrialColumn, trial: number): boolean {
  return trials.value?.reasonOf(column, trial) === "never_logged";
}

/** Returns the runs that contain the metric: those of its group, or the sessions. */
function runsWith(all: readonly string[], column: TrialColumn, trial: number): readonly string[] {
  const sessions = trials.value?.runs[trial] ?? [];
  if (column.group === "") return sessions;
  const wanted = new Set(sessions.map((run) => (run === "." ? column.group : `${run}/${column.group}`)));
  const found = all.filter((run) => wanted.has(run));
  return found.length > 0 ? found : all;
}
