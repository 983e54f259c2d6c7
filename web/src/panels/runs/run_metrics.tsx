// Metrics of one run as a table, or of several runs side by side with differences from the first.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { goalOf, verdictOf } from "../../base/metric_goal";
import { formatNumber } from "../../base/numbers";
import { compilePattern } from "../../base/pattern";
import { RunName } from "../../cards/run_name";
import { asProblem } from "../../state/board";
import { isSystemMetric, scalarTags } from "../../state/run_columns";
import { type MetricRow, metricsOf } from "../../state/run_detail";
import { colorOf } from "../../state/runs";
import { texts } from "../../state/view";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { comparedNames } from "./compared_names";
import { formatDelta, formatPercent } from "./format";
import "./config_tree.css";

type Metrics = ReadonlyMap<string, readonly MetricRow[]>;

// users search pages with more rows
const MOST_ROWS = 500;

/**
 * Returns last, lowest and highest values of metrics, requested again when the list of metrics or `version` changes, for
 * example the time of the newest data.
 */
export function useMetrics(
  runs: readonly string[],
  tags: readonly string[],
  version: number | null = null,
): { readonly metrics: Metrics | null; readonly problem: string } {
  const found = useSignal<Metrics | null>(null);
  const problem = useSignal("");
  const key = JSON.stringify([runs, tags]);
  useEffect(() => {
    let current = true;
    const [names, wanted] = JSON.parse(key) as readonly [readonly string[], readonly string[]];
    metricsOf(names, wanted)
      .then((answer) => {
        if (current) found.value = answer;
      })
      .catch((error: unknown) => {
        if (current) problem.value = asProblem(error).message;
      });
    return () => {
      current = false;
    };
  }, [key, version, found, problem]);
  return { metrics: found.value, problem: problem.value };
}

const VALUES = ["last", "min", "max"] as const;

export function RunMetrics({ runs }: { readonly runs: readonly string[] }): JSX.Element {
  const t = texts.value.runs;
  const search = useSignal("");
  const which = useSignal<(typeof VALUES)[number]>("last");
  const { metrics, problem } = useMetrics(runs, scalarTags.value);
  if (problem !== "") return <p class="config-tree__empty">{problem}</p>;
  if (metrics === null) return <p class="config-tree__empty">{t.loadingCells}</p>;
  const pattern = compilePattern(search.value);
  const matches = (tag: string): boolean =>
    typeof pattern === "string" ? tag.includes(search.value) : pattern.test(tag);
  return (
    <div class="run-metrics">
      <div class="config-tree__bar">
        <TextField
          label={t.filterMetrics}
          placeholder={t.filterMetrics}
          bare
          value={search.value}
          testId="metric-filter"
          onInput={(text) => (search.value = text)}
        />
        {runs.length > 1 && (
          <Select
            label={t.valueOf}
            bare
            value={which.value}
            options={VALUES.map((one) => ({ value: one, label: t.metricWords[one] }))}
            onChange={(one) => (which.value = one)}
          />
        )}
      </div>
      {runs.length === 1 ? (
        <OneRun rows={(metrics.get(runs[0] ?? "") ?? []).filter((row) => matches(row.tag))} />
      ) : (
        <SideBySide runs={runs} metrics={metrics} which={which.value} matches={matches} />
      )}
    </div>
  );
}

function show(value: number | null): string {
  return value === null ? "" : formatNumber(value, 6);
}

function OneRun({ rows }: { readonly rows: readonly MetricRow[] }): JSX.Element {
  const t = texts.value.runs;
  return (
    <>
      <table class="plain-table" data-testid="run-metrics">
        <thead>
          <tr>
            <th>{t.tag}</th>
            <th class="plain-table__number">{t.metricWords.last}</th>
            <th class="plain-table__number">{t.metricWords.min}</th>
            <th class="plain-table__number">{t.metricWords.max}</th>
            <th class="plain-table__number">{t.step}</th>
            <th class="plain-table__number">{t.points}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={row.tag}>
              <th scope="row">
                <bdi>{row.tag}</bdi>
              </th>
              <td class="plain-table__number">{show(row.last)}</td>
              <td class="plain-table__number">{show(row.min)}</td>
              <td class="plain-table__number">{show(row.max)}</td>
              <td class="plain-table__number">{row.step}</td>
              <td class="plain-table__number">{row.points}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && <p class="config-tree__empty">{t.andMore(rows.length - MOST_ROWS)}</p>}
      {rows.length === 0 && <p class="config-tree__empty">{t.noMatches}</p>}
    </>
  );
}

type SideProperties = {
  readonly runs: readonly string[];
  readonly metrics: Metrics;
  readonly which: (typeof VALUES)[number];
  readonly matches: (tag: string) => boolean;
};

/** One column head per run, for tables with runs side by side. */
export function RunHeads({ runs }: { readonly runs: readonly string[] }): JSX.Element {
  const among = comparedNames(runs);
  return (
    <>
      {runs.map((run) => (
        <th key={run} title={run}>
          <span class="compare-table__head">
            <span class="run-page__dot" style={{ background: colorOf.value(run) }} />
            <RunName run={run} among={among} wraps />
          </span>
        </th>
      ))}
    </>
  );
}

/** Returns the metrics of several runs, then those of one run; metrics of the machine are last in both. */
export function sharedFirst(tags: readonly string[], runsWith: (tag: string) => number): readonly string[] {
  const rank = (tag: string): number => (runsWith(tag) > 1 ? 0 : 2) + (isSystemMetric(tag) ? 1 : 0);
  return tags.filter((tag) => runsWith(tag) > 0).sort((a, b) => rank(a) - rank(b));
}

type DifferenceProperties = { readonly tag: string; readonly value: number | null; readonly base: number | null };

const SIGNS = { better: "▲", worse: "▼" } as const;

/** Difference from the reference, in percent too, and whether it is better or worse. */
function Difference({ tag, value, base }: DifferenceProperties): JSX.Element {
  const t = texts.value.runs;
  const verdict = verdictOf(value, base, goalOf(tag));
  const percent = formatPercent(value, base);
  return (
    <span class={`compare-table__delta${verdict === null ? "" : ` compare-table__delta--${verdict}`}`}>
      {formatDelta(value, base)}
      {percent !== "" && value !== base && ` (${percent})`}
      {verdict !== null && (
        <>
          {" "}
          <span aria-hidden="true">{SIGNS[verdict]}</span> {t.verdicts[verdict]}
        </>
      )}
    </span>
  );
}

function SideBySide({ runs, metrics, which, matches }: SideProperties): JSX.Element {
  const t = texts.value.runs;
  const byRun = runs.map((run) => new Map((metrics.get(run) ?? []).map((row) => [row.tag, row[which]])));
  const tags = sharedFirst(scalarTags.value.filter(matches), (tag) =>
    byRun.reduce((n, rows) => n + (rows.has(tag) ? 1 : 0), 0),
  );
  return (
    <>
      <table class="plain-table compare-table" data-testid="compare-metrics">
        <thead>
          <tr>
            <th>{t.tag}</th>
            <RunHeads runs={runs} />
          </tr>
        </thead>
        <tbody>
          {tags.slice(0, MOST_ROWS).map((tag) => (
            <tr key={tag}>
              <th scope="row">
                <bdi>{tag}</bdi>
              </th>
              {byRun.map((rows, at) => {
                const [value, base] = [rows.get(tag) ?? null, byRun[0]?.get(tag) ?? null];
                return (
                  <td key={runs[at]}>
                    {value === null ? <span class="compare-table__none">–</span> : show(value)}
                    {at > 0 && <Difference tag={tag} value={value} base={base} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {tags.length > MOST_ROWS && <p class="config-tree__empty">{t.andMore(tags.length - MOST_ROWS)}</p>}
      {tags.length === 0 && <p class="config-tree__empty">{t.noMatches}</p>}
    </>
  );
}
