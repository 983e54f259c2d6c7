// Compares two to six runs side by side: states, times, hparams and results. Differences are relative to the first run,
// or to the baseline.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { RunName } from "../../cards/run_name";
import { shownName } from "../../state/annotations";
import { scalarTags } from "../../state/run_columns";
import { diffOf, followRuns, type RunDetail } from "../../state/run_detail";
import { sharedMetrics } from "../../state/run_media";
import { allRuns, colorOf, factsOf, tickOnly } from "../../state/runs";
import { changeView, durationText, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { useObservedSize } from "../../widgets/observed_size";
import "./compare_page.css";
import { Breadcrumb } from "./breadcrumb";
import { comparedNames, comparisonPx } from "./compared_names";
import { Moment } from "./moment";
import { RunCharts } from "./run_charts";
import { CodeComparison } from "./run_code";
import { RunDialogs } from "./run_dialogs";
import { MOST_COMPARED, openRun } from "./run_menu";
import { RunHeads, RunMetrics } from "./run_metrics";
import "./run_page.css";
import { StatePill } from "./state_mark";

const of = member("of");
const baseline = member("baseline");
const compareSame = member("compareSame");

function put(runs: readonly string[]): void {
  changeView({ of: runs });
}

// paddings at both sides
const MARGINS_PX = 32;

function measure(page: HTMLElement): void {
  comparisonPx.value = page.clientWidth - MARGINS_PX;
}

export function ComparePage(): JSX.Element {
  const t = texts.value.runs;
  const chosen = [...new Set(of.value)].slice(0, MOST_COMPARED);
  // the baseline is first if it is one of the runs
  const runs = chosen.includes(baseline.value)
    ? [baseline.value, ...chosen.filter((run) => run !== baseline.value)]
    : chosen;
  const key = JSON.stringify(runs);
  const following = useMemo(() => followRuns(JSON.parse(key) as readonly string[]), [key]);
  useEffect(() => following.stop, [following]);
  const details = following.details.value;
  const main = useRef<HTMLElement>(null);
  useObservedSize(main, measure);
  return (
    <main class="run-page compare-page" ref={main}>
      <header class="run-page__head">
        <Breadcrumb />
        <h1 class="run-page__name">{t.compare}</h1>
        <span class="run-page__space" />
        {runs.length < MOST_COMPARED && <AddRun runs={runs} />}
        {runs.length > 0 && (
          <Button
            label={t.showSelected}
            icon="eye"
            title={t.showSelected}
            onClick={() => {
              tickOnly(runs);
              changeView({ page: "timeseries" }, { entry: true });
            }}
          />
        )}
      </header>
      {runs.length < 2 && <p class="compare-page__hint">{t.chooseTwo}</p>}
      {runs.length > 0 && (
        <div class="run-page__body">
          <Heads runs={runs} />
          <SharedCharts runs={runs} />
          <Config runs={runs} details={details} />
          <h2 class="compare-page__title">{t.metricTable}</h2>
          <RunMetrics runs={runs} />
          <CodeComparison runs={runs} details={details} />
        </div>
      )}
      <RunDialogs />
    </main>
  );
}

const FIRST_CHARTS = 8;

/** Charts of the metrics that at least two of the runs have, with the curves of all. */
function SharedCharts({ runs }: { readonly runs: readonly string[] }): JSX.Element | null {
  const tags = useSharedTags(runs);
  if (tags.length === 0) return null;
  return (
    <>
      <h2 class="compare-page__title">{texts.value.runs.charts}</h2>
      <RunCharts runs={runs} tags={tags} first={FIRST_CHARTS} />
    </>
  );
}

function useSharedTags(runs: readonly string[]): readonly string[] {
  const tags = useSignal<readonly string[]>([]);
  const key = JSON.stringify(runs);
  useEffect(() => {
    let current = true;
    const keep = (found: readonly string[]): void => {
      if (current) tags.value = found;
    };
    // without charts the tables below still tell the difference
    sharedMetrics(JSON.parse(key) as readonly string[]).then(keep, () => keep([]));
    return () => {
      current = false;
    };
  }, [key, scalarTags.value, tags]);
  return tags.value;
}

function AddRun({ runs }: { readonly runs: readonly string[] }): JSX.Element {
  const t = texts.value.runs;
  const id = useId();
  const typed = useSignal("");
  const wanted = typed.value.toLowerCase();
  const offered: string[] = [];
  for (const run of allRuns.value) {
    if (offered.length >= 100) break;
    if (!runs.includes(run) && run.toLowerCase().includes(wanted)) offered.push(run);
  }
  return (
    <label class="compare-page__add">
      <span class="aside-text">{t.addRun}</span>
      <input
        class="field__input"
        type="text"
        list={id}
        placeholder={t.addRun}
        spellcheck={false}
        autocomplete="off"
        value={typed.value}
        data-testid="add-run"
        onInput={(event) => {
          const name = event.currentTarget.value;
          typed.value = name;
          if (!allRuns.value.includes(name) || runs.includes(name)) return;
          typed.value = "";
          put([...runs, name]);
        }}
      />
      <datalist id={id}>
        {offered.map((run) => (
          <option key={run} value={run} />
        ))}
      </datalist>
    </label>
  );
}

function Heads({ runs }: { readonly runs: readonly string[] }): JSX.Element {
  const t = texts.value.runs;
  const among = comparedNames(runs);
  return (
    <div class="compare-page__heads">
      {runs.map((run, at) => {
        const { start, duration } = factsOf(run);
        return (
          <section key={run} class="compare-page__run" data-compared={run}>
            <div class="compare-page__name">
              <span class="run-page__dot" style={{ background: colorOf.value(run) }} />
              <button type="button" class="compare-page__open" title={run} onClick={() => openRun(run)}>
                <RunName run={run} among={among} wraps />
              </button>
              <Button
                icon="close"
                kind="quiet"
                title={t.removeRun(shownName(run))}
                onClick={() => put(runs.filter((one) => one !== run))}
              />
            </div>
            <div class="compare-page__facts">
              <StatePill run={run} />
              {at === 0 ? (
                <span class="run-row__baseline">{t.reference}</span>
              ) : (
                <Button
                  label={t.swap}
                  icon="star"
                  title={t.swap}
                  onClick={() => {
                    const rest = runs.filter((one) => one !== run);
                    // a baseline among the other runs would stay first: replace it
                    changeView({
                      of: [run, ...rest],
                      baseline: rest.includes(baseline.value) ? run : baseline.value,
                    });
                  }}
                />
              )}
            </div>
            <div class="quiet">
              <Moment seconds={start} />
            </div>
            <div class="quiet">{duration === null ? "" : durationText(duration, 1)}</div>
          </section>
        );
      })}
    </div>
  );
}

type ConfigProperties = { readonly runs: readonly string[]; readonly details: ReadonlyMap<string, RunDetail> };

function Config({ runs, details }: ConfigProperties): JSX.Element {
  const t = texts.value.runs;
  const configs = runs.map((run) => {
    const detail = details.get(run);
    return detail !== undefined && "run" in detail ? detail.run.config : {};
  });
  const rows = diffOf(configs);
  const told = runs.every((run) => details.has(run));
  const shown = compareSame.value ? rows : rows.filter((row) => row.differs);
  return (
    <>
      <h2 class="compare-page__title">
        {t.configDiff}
        <Checkbox
          label={t.onlyDifferences}
          checked={!compareSame.value}
          testId="only-differences"
          onChange={(on) => changeView({ compareSame: !on })}
        />
      </h2>
      {shown.length === 0 ? (
        told && <p class="config-tree__empty">{rows.length === 0 ? t.noConfig : t.noDifferences}</p>
      ) : (
        <table class="plain-table compare-table" data-testid="compare-config">
          <thead>
            <tr>
              <th>{t.config}</th>
              <RunHeads runs={runs} />
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.path} class={row.differs ? "compare-table__differs" : undefined}>
                <th scope="row">{row.path}</th>
                {row.values.map((value, at) => (
                  <td key={runs[at]} class={value !== row.values[0] ? "compare-table__other" : undefined}>
                    {value === "" ? <span class="compare-table__none">–</span> : <code>{value}</code>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
