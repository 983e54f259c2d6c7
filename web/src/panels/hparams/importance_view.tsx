// Importance of hparams: for one metric a bar and the correlations of each hparam; below, a table of the correlations
// of every hparam with every metric.

import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { formatNumber } from "../../base/numbers";
import { metricId } from "../../state/trials_columns";
import { followImportance } from "../../state/trials_files";
import { changeView, member } from "../../state/view";
import { Select } from "../../widgets/select";
import "./importance_view.css";
import { words } from "./words";

const target = member("hparamsTarget");

type Followed = NonNullable<ReturnType<typeof followImportance>["shown"]["value"]>;
type OfMetric = Followed["metrics"][number];
type OfHparam = OfMetric["hparams"][number];

export function ImportanceView(): JSX.Element {
  const t = words();
  const model = useMemo(followImportance, []);
  useEffect(() => model.close, [model]);
  const { shown, problem, busy } = model;
  if (problem.value !== null) {
    return (
      <p class="importance__note" role="alert">
        {problem.value.message} {problem.value.hint}
      </p>
    );
  }
  const all = shown.value?.metrics ?? null;
  if (all === null)
    return (
      <p class="importance__note" role="status">
        {t.loading}
      </p>
    );
  const [first] = all;
  if (first === undefined) return <p class="importance__note">{t.noTarget}</p>;
  const chosen = all.find((one) => idOf(one) === target.value) ?? first;
  return (
    <div class={busy.value ? "importance importance--busy" : "importance"} data-testid="importance">
      <div class="importance__head">
        <Select
          label={t.target}
          value={idOf(chosen)}
          testId="importance-target"
          options={all.map((one) => ({ value: idOf(one), label: titleOfMetric(one) }))}
          onChange={(hparamsTarget) => changeView({ hparamsTarget })}
        />
        <Said metric={chosen} />
      </div>
      {chosen.hparams.length === 0 ? <p class="importance__note">{t.tooFew}</p> : <Bars metric={chosen} />}
      {all.length > 1 && <Matrix metrics={all} />}
    </div>
  );
}

function idOf({ tag, group }: OfMetric): string {
  return metricId(tag, group);
}

function titleOfMetric({ tag, group, display }: OfMetric): string {
  return display || (group === "" ? tag : `${group}/${tag}`);
}

function Said({ metric }: { readonly metric: OfMetric }): JSX.Element {
  const t = words();
  return (
    <p class="importance__said">
      {t.usedTrials(metric.trials)}
      {metric.explained !== null && <> {t.fit(percent(Math.max(0, metric.explained)))}</>}
      {metric.warnings.map((code) => (
        <span key={code} class="importance__warning">
          {t.warnings[code] ?? code}
        </span>
      ))}
    </p>
  );
}

function percent(share: number): string {
  return `${formatNumber(share * 100, 2)} %`;
}

function Bars({ metric }: { readonly metric: OfMetric }): JSX.Element {
  const t = words();
  return (
    <table class="importance__table" data-testid="importance-table">
      <thead>
        <tr>
          <th>{t.setting}</th>
          <th title={t.importanceHint}>{t.importance}</th>
          <th title={t.pearsonHint}>{t.pearson}</th>
          <th title={t.spearmanHint}>{t.spearman}</th>
          <th title={t.associationHint}>{t.association}</th>
        </tr>
      </thead>
      <tbody>
        {metric.hparams.map((one) => (
          <tr key={one.name} data-importance={one.name}>
            <th scope="row">
              <bdi>{one.name}</bdi>
            </th>
            <td>
              <Bar share={one.importance} />
            </td>
            <td>
              <Correlation value={one.pearson} />
            </td>
            <td>
              <Correlation value={one.spearman} />
            </td>
            <td class="importance__number">{one.association === null ? "" : formatNumber(one.association, 3)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bar({ share }: { readonly share: number | null }): JSX.Element {
  if (share === null) return <span class="importance__none">–</span>;
  return (
    <span class="importance__bar">
      <span class="importance__track">
        <span class="importance__fill" style={{ width: `${Math.max(0, share) * 100}%` }} />
      </span>
      <span class="importance__number">{formatNumber(share, 3)}</span>
    </span>
  );
}

/** A bar from the center to the left or right, so that the sign is visible without colors. */
function Correlation({ value }: { readonly value: number | null }): JSX.Element {
  if (value === null) return <span class="importance__none">–</span>;
  const size = Math.min(1, Math.abs(value)) * 50;
  return (
    <span class="importance__bar">
      <span class="importance__track importance__track--middle">
        <span
          class={value < 0 ? "importance__fill importance__fill--down" : "importance__fill importance__fill--up"}
          style={{ left: `${value < 0 ? 50 - size : 50}%`, width: `${size}%` }}
        />
      </span>
      <span class="importance__number">{signed(value)}</span>
    </span>
  );
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${formatNumber(Number(value.toFixed(2)))}`;
}

// more rows would not be an overview
const MOST_ROWS = 60;

function Matrix({ metrics }: { readonly metrics: readonly OfMetric[] }): JSX.Element {
  const t = words();
  const names = [...new Set(metrics.flatMap(({ hparams }) => hparams.map(({ name }) => name)))].slice(0, MOST_ROWS);
  const found = metrics.map(({ hparams }) => new Map(hparams.map((one) => [one.name, one])));
  return (
    <section class="importance__matrix" aria-label={t.matrix}>
      <h3 title={t.matrixHint}>{t.matrix}</h3>
      <div class="importance__scroll">
        <table>
          <thead>
            <tr>
              <th />
              {metrics.map((metric) => (
                <th key={idOf(metric)} scope="col">
                  <button
                    type="button"
                    title={t.matrixHint}
                    onClick={() => changeView({ hparamsTarget: idOf(metric) })}
                  >
                    <bdi>{titleOfMetric(metric)}</bdi>
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                {found.map((by, at) => (
                  <MatrixCell key={at} of={by.get(name)} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function MatrixCell({ of }: { readonly of: OfHparam | undefined }): JSX.Element {
  const value = of?.spearman ?? null;
  if (value === null) {
    const strength = of?.association ?? null;
    return <td class="importance__cell">{strength === null ? "–" : `η² ${formatNumber(strength, 2)}`}</td>;
  }
  const color = value < 0 ? "var(--warn)" : "var(--accent)";
  return (
    <td
      class="importance__cell"
      style={{ background: `color-mix(in srgb, ${color} ${Math.round(Math.abs(value) * 45)}%, transparent)` }}
    >
      {signed(value)}
    </td>
  );
}
