// The list of runs at the left of every page.

import type { JSX } from "preact";
import { colorOf, isTicked, listedRuns, tick } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
import { FilterBox } from "../../widgets/filter_box";
import { VirtualList } from "../../widgets/virtual_list";

const ROW_HEIGHT_PX = 28;

export function RunSidebar(): JSX.Element {
  return (
    <aside class="run-sidebar">
      <FilterBox
        label={texts.value.runs.filterRuns}
        value={view.value.runFilter}
        onChange={(runFilter) => changeView({ runFilter })}
      />
      <VirtualList
        items={listedRuns.value}
        rowHeightPx={ROW_HEIGHT_PX}
        label={texts.value.runs.runs}
        keyOf={(run) => run}
      >
        {(run) => (
          <label class="run-row" data-run={run} title={run}>
            <input
              type="checkbox"
              checked={isTicked(run)}
              onChange={(event) => tick([run], event.currentTarget.checked)}
            />
            <span class="swatch" style={{ background: colorOf.value(run) }} />
            <span class="name">{run}</span>
          </label>
        )}
      </VirtualList>
    </aside>
  );
}
