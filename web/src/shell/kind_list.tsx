// The plain page of a kind that has data but no panel: its tags, and how many runs have each.

import type { JSX } from "preact";
import { kinds, snapshot } from "../state/board";
import { tagFilter } from "../state/tag_filter";
import { changeView, texts, view } from "../state/view";
import { FilterBox } from "../widgets/filter_box";
import { VirtualList } from "../widgets/virtual_list";
import { go } from "./actions";
import "./kind_list.css";
import { Button } from "../widgets/button";
import { callFor, kindOfPage, kindTabs } from "./kinds";
import { Notice, Snippet } from "./notice";
import { snippetOfCall } from "./snippets";

const ROW_HEIGHT_PX = 30;

type Row = { readonly tag: string; readonly runs: number; readonly about: string };

export function KindList(): JSX.Element {
  const words = texts.value.shell;
  const { page } = view.value;
  const kind = kindOfPage(page);
  const columns = kind === null ? undefined : kinds.value[kind];
  const tab = kindTabs.value.find((one) => one.page === page);
  if (kind === null) return <UnknownPage page={page} />;
  const title = tab?.label ?? words.kinds[page] ?? page;
  if (snapshot !== null && (columns === undefined || tab === undefined)) return <NotInSnapshot title={title} />;
  if (columns === undefined) return <AbsentKind page={page} kind={tab?.kind ?? kind} />;
  const filter = tagFilter(view.value.tagFilter);
  const rows = columns.tag.flatMap((tag, row): readonly Row[] =>
    filter.matches(tag) ? [{ tag, runs: columns.runs[row] ?? 0, about: columns.display_name[tag] ?? "" }] : [],
  );
  return (
    <main class="kind-list">
      <header class="kind-list__header">
        <h2>{title}</h2>
        <p>{words.kindSoon}</p>
      </header>
      <FilterBox
        label={words.filterTags}
        value={view.value.tagFilter}
        testId="tag-filter"
        count={`${rows.length} / ${columns.tag.length}`}
        error={filter.error === null ? null : { message: filter.error, hint: "", position: null }}
        onChange={(text) => changeView({ tagFilter: text })}
      />
      <div class="kind-list__head">
        <span>{words.tag}</span>
        <span>{words.runsWithTag}</span>
      </div>
      <VirtualList items={rows} rowHeightPx={ROW_HEIGHT_PX} label={title} keyOf={({ tag }) => tag}>
        {(row) => (
          <div class="kind-list__row">
            <span class="kind-list__tag" title={row.tag}>
              {row.tag}
              {row.about !== "" && <span class="kind-list__about">{row.about}</span>}
            </span>
            <span class="kind-list__runs">{row.runs}</span>
          </div>
        )}
      </VirtualList>
    </main>
  );
}

/** The page of a kind that no run has logged: how to log it. */
function AbsentKind({ page, kind }: { readonly page: string; readonly kind: string }): JSX.Element {
  const words = texts.value.shell;
  return (
    <Notice title={words.absentTitle(words.nouns[kind] ?? kind)} icon="search" state="no-kind">
      <p>{words.absentHow}</p>
      <Snippet code={snippetOfCall(callFor(page))} />
      <div class="notice__actions">
        <Button label={words.toTimeseries} title={words.toTimeseries} onClick={() => go("timeseries")} />
      </div>
    </Notice>
  );
}

function NotInSnapshot({ title }: { readonly title: string }): JSX.Element {
  const words = texts.value.shell;
  return (
    <Notice title={title} state="no-kind">
      <p>{words.snapshot.missing(title).replaceAll("`", "")}</p>
      <div class="notice__actions">
        <Button label={words.toTimeseries} title={words.toTimeseries} onClick={() => go("timeseries")} />
      </div>
    </Notice>
  );
}

function UnknownPage({ page }: { readonly page: string }): JSX.Element {
  const words = texts.value.shell;
  return (
    <Notice title={words.unknownPage} icon="help" state="unknown-page">
      <p>{words.unknownPageText(page)}</p>
      <div class="notice__actions">
        <Button label={words.toTimeseries} kind="primary" title={words.toTimeseries} onClick={() => go("timeseries")} />
      </div>
    </Notice>
  );
}
