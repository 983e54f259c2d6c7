// Small charts of metrics, in sections by prefix: all metrics of a run, or metrics that several runs share.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatNumber } from "../../base/numbers";
import { followColors } from "../../cards/chart_colors";
import { MiniChart } from "../../cards/charts/mini_chart";
import { sectionsOf } from "../../state/sections";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { TextField } from "../../widgets/text_field";
import "./run_charts.css";

type Properties = {
  readonly runs: readonly string[];
  /** In natural order. */
  readonly tags: readonly string[];
  /** Charts that are shown at first. */
  readonly first: number;
  readonly filter?: boolean;
  readonly lastOf?: ((tag: string) => number | null) | undefined;
};

export function RunCharts({ runs, tags, first, filter = false, lastOf }: Properties): JSX.Element {
  const t = texts.value.runs;
  useEffect(followColors, []);
  const most = useSignal(first);
  const search = useSignal("");
  const wanted = search.value.toLowerCase();
  const found = wanted === "" ? tags : tags.filter((tag) => tag.toLowerCase().includes(wanted));
  const shown = found.slice(0, most.value);
  return (
    <div class="run-charts">
      {filter && (
        <TextField
          label={t.filterMetrics}
          placeholder={t.filterMetrics}
          bare
          value={search.value}
          testId="chart-filter"
          onInput={(text) => (search.value = text)}
        />
      )}
      {groupsOf(shown).map(({ name, tags: inner }) => (
        <section key={name} class="run-charts__section">
          {name !== "" && <h3>{name}</h3>}
          <div class="run-charts__grid">
            {inner.map((tag) => (
              <TagChart key={tag} tag={tag} section={name} runs={runs} last={lastOf?.(tag) ?? null} />
            ))}
          </div>
        </section>
      ))}
      {found.length === 0 && <p class="quiet">{t.noMatches}</p>}
      {found.length > shown.length && (
        <Button
          label={t.moreCharts(found.length - shown.length)}
          title={t.moreCharts(found.length - shown.length)}
          testId="more-charts"
          onClick={() => (most.value += MORE)}
        />
      )}
    </div>
  );
}

// fewer charts fit on one screen and need no headings
const FEW = 12;

function groupsOf(tags: readonly string[]): readonly { readonly name: string; readonly tags: readonly string[] }[] {
  if (tags.length <= FEW) return [{ name: "", tags }];
  return sectionsOf(tags, "first").map(({ name, blocks }) => ({ name, tags: blocks.flatMap((block) => block.tags) }));
}

// each chart has a canvas: hundreds at once would be slow
const MORE = 36;

type TagProperties = {
  readonly tag: string;
  readonly section: string;
  readonly runs: readonly string[];
  readonly last: number | null;
};

function TagChart({ tag, section, runs, last }: TagProperties): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <div class="run-charts__card" data-chart-of={tag}>
      <MiniChart
        tag={tag}
        title={section === "" ? tag : tag.slice(section.length + 1)}
        runs={runs}
        label={words.chartLabel(tag, runs.length)}
        none={words.noData}
        value={last === null ? undefined : formatNumber(last)}
      />
    </div>
  );
}
