// The tags of the board by kind, filtered.

import type { JSX } from "preact";
import { content, shownTags, type TagRow, tagFilter } from "../state/board";
import { changeView, texts, view } from "../state/view";
import { FilterBox } from "../widgets/filter_box";
import { VirtualList } from "../widgets/virtual_list";

const ROW_HEIGHT_PX = 32;

function keyOf(row: TagRow): string {
  return row.row === "kind" ? row.kind : `${row.kind}\n${row.tag}`;
}

function Row({ row }: { readonly row: TagRow }): JSX.Element {
  if (row.row === "kind") {
    return (
      <h3 class="row">
        {row.kind} <small>{row.size}</small>
      </h3>
    );
  }
  return (
    <div class="row" title={row.tag}>
      <span class="name">{row.tag}</span>
      <span class="detail">{texts.value.inRuns(row.runs)}</span>
    </div>
  );
}

export function TagList(): JSX.Element {
  const rows = shownTags.value;
  const any = (content.value?.kinds.length ?? 0) > 0;
  return (
    <section class="tags">
      <h2>{texts.value.tags}</h2>
      <FilterBox
        label={texts.value.filterTags}
        value={view.value.tagFilter}
        remark={tagFilter.value.valid ? null : texts.value.literal}
        onChange={(tagFilter) => changeView({ tagFilter })}
      />
      {rows.length === 0 && <p class="nothing">{any ? texts.value.noMatch : texts.value.noTags}</p>}
      <VirtualList items={rows} rowHeightPx={ROW_HEIGHT_PX} label={texts.value.tags} keyOf={keyOf}>
        {(row) => <Row row={row} />}
      </VirtualList>
    </section>
  );
}
