// The runs of the board, filtered.

import type { JSX } from "preact";
import { content, runFilter, shownRuns } from "../state/board";
import { changeView, language, texts, view } from "../state/view";
import { FilterBox } from "../widgets/filter_box";
import { VirtualList } from "../widgets/virtual_list";

const ROW_HEIGHT_PX = 32;

function formatState(state: string): string {
  const words: Readonly<Record<string, string>> = texts.value.states;
  return words[state] ?? state;
}

function formatStart(seconds: number | null): string {
  if (seconds === null) return "";
  return new Date(seconds * 1000).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short" });
}

export function RunList(): JSX.Element {
  const total = content.value?.runs.length ?? 0;
  const shown = shownRuns.value;
  return (
    <section class="runs">
      <h2>
        {texts.value.runs} <small>{shown.length === total ? total : `${shown.length} / ${total}`}</small>
      </h2>
      <FilterBox
        label={texts.value.filterRuns}
        value={view.value.runFilter}
        remark={runFilter.value.valid ? null : texts.value.literal}
        onChange={(runFilter) => changeView({ runFilter })}
      />
      {shown.length === 0 && <p class="nothing">{texts.value.noMatch}</p>}
      <VirtualList items={shown} rowHeightPx={ROW_HEIGHT_PX} label={texts.value.runs} keyOf={(run) => run.name}>
        {(run) => (
          <div class="row" title={run.name}>
            <span
              class={`state ${run.state}`}
              role="img"
              aria-label={formatState(run.state)}
              title={formatState(run.state)}
            />
            <span class="name">{run.name}</span>
            <span class="detail">{formatStart(run.startTime)}</span>
          </div>
        )}
      </VirtualList>
    </section>
  );
}
