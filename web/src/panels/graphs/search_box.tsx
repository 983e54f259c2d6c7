// Search by regular expression: matches are listed while the user types; a click or Enter shows one.

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { newestGate } from "../../base/newest";
import * as graphsWords from "../../state/texts/graphs";
import { changeView, member, spoken, texts, view } from "../../state/view";
import { FilterBox } from "../../widgets/filter_box";
import { Popover } from "../../widgets/popover";
import { VirtualList } from "../../widgets/virtual_list";
import type { Found } from "./model/facts";
import { find, goTo, summary } from "./session";
import "./search_box.css";

const searched = member("graphsSearch");
const ROW_PX = 26;
const MOST_ROWS = 12;

export function GraphSearch(): JSX.Element {
  const words = spoken(graphsWords);
  const place = useRef<HTMLDivElement>(null);
  const hits = useHits();
  const listed = useSignal(false);
  const go = (path: string): void => {
    listed.value = false;
    void goTo(path);
  };
  const trouble = hits?.trouble ?? null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the field are caught where they pass by
    <div
      ref={place}
      class="graph-search"
      onKeyDown={(event) => {
        const list = document.querySelector<HTMLElement>(".graph-search__hit");
        if (event.key === "ArrowDown" && listed.value && list !== null) {
          event.preventDefault();
          list.focus();
        }
      }}
      onFocusCapture={() => {
        listed.value = true;
      }}
    >
      <FilterBox
        label={words.searchHint}
        placeholder={words.search}
        value={view.value.graphsSearch}
        testId="tag-filter"
        count={hits === null || trouble !== null ? undefined : String(hits.total)}
        error={trouble === null ? null : { message: texts.value.patterns.troubles[trouble], hint: "", position: null }}
        onChange={(text) => {
          listed.value = true;
          changeView({ graphsSearch: text });
        }}
        onEnter={() => {
          const [first] = hits?.hits ?? [];
          if (first !== undefined) go(first.path);
        }}
      />
      {listed.value && hits !== null && trouble === null && place.current !== null && (
        <Hits anchor={place.current} hits={hits} listed={listed} onGo={go} />
      )}
    </div>
  );
}

/** Returns the matches; null without a search. Responses to older searches are dropped. */
function useHits(): Found | null {
  const hits = useSignal<Found | null>(null);
  const gate = useRef(newestGate());
  useSignalEffect(() => {
    const text = searched.value;
    void summary.value;
    if (text === "") {
      hits.value = null;
      void gate.current(Promise.resolve());
      return;
    }
    void gate.current(find(text)).then(({ newest, answer }) => {
      if (newest) hits.value = answer;
    });
  });
  return hits.value;
}

type HitsProps = {
  readonly anchor: HTMLElement;
  readonly hits: Found;
  readonly listed: Signal<boolean>;
  readonly onGo: (path: string) => void;
};

function Hits({ anchor, hits, listed, onGo }: HitsProps): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <Popover
      anchor={anchor}
      label={words.hits}
      keepFocus
      className="graph-search__list"
      onClose={() => {
        listed.value = false;
      }}
    >
      <div class="graph-search__head" role="status">
        {hits.total === 0 ? words.notFound : words.found(hits.total, hits.hits.length)}
      </div>
      {hits.hits.length > 0 && (
        <div class="graph-search__rows" style={{ height: `${ROW_PX * Math.min(MOST_ROWS, hits.hits.length)}px` }}>
          <VirtualList items={hits.hits} rowHeightPx={ROW_PX} label={words.hits} keyOf={({ path }) => path}>
            {(hit) => <Hit hit={hit} onGo={onGo} />}
          </VirtualList>
        </div>
      )}
    </Popover>
  );
}

function Hit({
  hit,
  onGo,
}: {
  readonly hit: Found["hits"][number];
  readonly onGo: (path: string) => void;
}): JSX.Element {
  const words = spoken(graphsWords);
  const kind =
    hit.type === 0
      ? hit.op
      : ([words.namespace, words.namespace, words.series, words.function, words.library][hit.type] ?? "");
  const end = hit.path.lastIndexOf("/") + 1;
  return (
    <button
      type="button"
      class="graph-search__hit"
      title={hit.path}
      onClick={() => onGo(hit.path)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        event.stopPropagation();
        const all = [...document.querySelectorAll<HTMLElement>(".graph-search__hit")];
        all[all.indexOf(event.currentTarget) + by]?.focus();
      }}
    >
      <span class="graph-search__path">
        <span class="graph-search__prefix">{hit.path.slice(0, end)}</span>
        {hit.path.slice(end)}
      </span>
      <span class="graph-search__kind">{kind}</span>
    </button>
  );
}
