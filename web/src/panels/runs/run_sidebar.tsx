// The list of runs at the left of every page: filter, checkboxes, tree or groups, columns.

import { computed, type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { scalarTags } from "../../state/run_columns";
import {
  completionsFor,
  filterError,
  filterHistory,
  filterPending,
  passingRuns,
  putCompletion,
  rememberFilter,
} from "../../state/run_filter";
import { listRows, type Row, runOf } from "../../state/run_rows";
import { allRuns, isTicked, tick, tickOnly } from "../../state/runs";
import { changeView, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { FilterBox } from "../../widgets/filter_box";
import { type ListHandle, VirtualList } from "../../widgets/virtual_list";
import { type ListNames, useListNames } from "./list_names";
import { RunDialogs } from "./run_dialogs";
import { BranchRow, cellWidthPx, RunRow, toggleFold } from "./run_row";
import "./run_sidebar.css";
import { SeedOffer } from "./seed_offer";
import { ColumnHeads, SidebarTools } from "./sidebar_tools";

const ROW_HEIGHT_PX = 28;

export function RunSidebar(): JSX.Element {
  return (
    <aside class="run-sidebar" aria-label={texts.value.runs.runs}>
      <SidebarTools />
      <RunFilter />
      <SeedOffer />
      <WithColumns />
      <RunDialogs />
    </aside>
  );
}

const runColumns = member("runColumns");
// minimum width of names; below it the list scrolls sideways
const NAME_PX = 190;

function WithColumns(): JSX.Element {
  const widthPx = runColumns.value.reduce((sum, column) => sum + cellWidthPx(column) + 8, NAME_PX);
  return (
    <div class="run-sidebar__scroll">
      <div class="run-sidebar__wide" style={runColumns.value.length > 0 ? { minWidth: `${widthPx}px` } : {}}>
        <ColumnHeads />
        <RunList />
      </div>
    </div>
  );
}

const runFilter = member("runFilter");

/** Examples of filters with names of this board. */
const examplesNow = computed(() => {
  const t = texts.value.runs.filterExamples;
  const tag = scalarTags.value.find((one) => /loss/i.test(one)) ?? scalarTags.value[0] ?? "loss";
  const word = /^[^\W_]{2,}/.exec(allRuns.value.find((run) => /^[^\W_]{2,}/.test(run)) ?? "")?.[0] ?? "run";
  return [
    { text: `^${word}`, detail: t.names },
    { text: `last(${JSON.stringify(tag)}) < 0.5`, detail: t.metric },
    { text: "hparams.lr <= 1e-3", detail: t.hparam },
    { text: 'status == "running"', detail: t.status },
  ];
});

/** The run filter of all pages; also above the table of runs. */
export function RunFilter({ testId = "run-filter" }: { readonly testId?: string }): JSX.Element {
  const t = texts.value.runs;
  const words = useSignal<readonly string[]>([]);
  const history = useSignal<readonly string[]>(filterHistory());
  const asking = useRef<AbortController | null>(null);
  const typed = useRef("");
  const suggest = (text: string, cursor: number): void => {
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    void completionsFor(text, cursor, controller.signal).then((found) => {
      if (!controller.signal.aborted) words.value = found;
    });
  };
  const keep = (text: string): void => {
    rememberFilter(text);
    history.value = filterHistory();
  };
  // a filter that stays for some time is added to the history
  useEffect(() => {
    const text = runFilter.value;
    if (text === "" || text === typed.current) return;
    const waiting = setTimeout(() => keep(text), 3000);
    return () => clearTimeout(waiting);
  });
  const all = allRuns.value.length;
  const passing = passingRuns.value.length;
  return (
    <div class={filterPending.value ? "run-filter run-filter--pending" : "run-filter"}>
      <FilterBox
        label={t.filterRuns}
        placeholder={t.filterPlaceholder}
        value={runFilter.value}
        error={filterError.value}
        suggestions={runFilter.value === "" ? [] : words.value.map((text) => ({ text }))}
        pick={putCompletion}
        onCursor={suggest}
        history={history.value}
        examples={examplesNow.value}
        onEnter={keep}
        count={passing === all ? undefined : t.someOf(passing, all)}
        testId={testId}
        onChange={(text) => changeView({ runFilter: text })}
      />
    </div>
  );
}

/** Toggles a run; with Shift all runs since the last clicked row, with Alt it becomes the only ticked run. */
function rangeTicks(row: Row, event: MouseEvent, last: Signal<string | null>): void {
  const run = runOf(row);
  if (run === null) return;
  const on = !isTicked(run);
  if (event.altKey) tickOnly([run]);
  else if (event.shiftKey && last.value !== null) {
    const runs = listRows.value.flatMap((one) => runOf(one) ?? []);
    const [from, to] = [runs.indexOf(last.value), runs.indexOf(run)].sort((a, b) => a - b);
    tick(from === undefined || from < 0 || to === undefined ? [run] : runs.slice(from, to + 1), on);
  } else tick([run], on);
  last.value = run;
}

// while the user types, most rows change: rows keyed by index reuse their elements
function byPlace(_: Row, index: number): string {
  return String(index);
}

function RunList(): JSX.Element {
  const t = texts.value.runs;
  const rows = listRows.value;
  const active = useSignal(0);
  const last = useSignal<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<ListHandle | null>(null);
  const hold = useCallback((handle: ListHandle | null) => {
    list.current = handle;
  }, []);
  const at = Math.min(active.value, Math.max(0, rows.length - 1));
  const names = useListNames(frame).value;

  const go = (to: number): void => {
    active.value = Math.min(rows.length - 1, Math.max(0, to));
    list.current?.scrollToIndex(active.value);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus());
  };
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[at];
    const own = event.target instanceof HTMLElement && event.target.dataset.row !== undefined;
    if (row === undefined || !own || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!act(event, row, at, go)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the rows are caught where they pass by
    <div
      class="run-list"
      ref={frame}
      onKeyDown={onKey}
      onFocusIn={(event) => {
        const index = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-index]") : null;
        if (index !== null) active.value = Number(index.dataset.index);
      }}
    >
      {rows.length === 0 && <NothingListed />}
      <VirtualList items={rows} rowHeightPx={ROW_HEIGHT_PX} label={t.runs} keyOf={byPlace} handle={hold}>
        {(row, index) => (
          <div class="run-list__place" data-index={index}>
            <AnyRow row={row} names={names} active={index === at} onTick={(event) => rangeTicks(row, event, last)} />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

/** Handles a key on the focused row; returns false if the key does nothing. */
function act(event: KeyboardEvent, row: Row, at: number, go: (to: number) => void): boolean {
  const run = runOf(row);
  const branch = typeof row === "object" && row.kind !== "run" ? row : null;
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at - 1);
  else if (event.key === "PageDown") go(at + 20);
  else if (event.key === "PageUp") go(at - 20);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(Number.MAX_SAFE_INTEGER);
  else if (event.key === " " && run !== null) tick([run], !isTicked(run));
  else if (event.key === " " && branch !== null) tick(branch.runs, !branch.runs.every(isTicked));
  else if (event.key === "Enter") pressInside(event, ".run-row__name");
  else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) pressInside(event, ".run-row__menu");
  else if (
    branch !== null &&
    ((event.key === "ArrowLeft" && branch.open) || (event.key === "ArrowRight" && !branch.open))
  )
    toggleFold(branch.key);
  else return false;
  return true;
}

function pressInside(event: KeyboardEvent, selector: string): void {
  if (event.target instanceof HTMLElement) event.target.querySelector<HTMLElement>(selector)?.click();
}

type AnyProperties = {
  readonly row: Row;
  readonly names: ListNames;
  readonly active: boolean;
  readonly onTick: (event: MouseEvent) => void;
};

function AnyRow({ row, names, active, onTick }: AnyProperties): JSX.Element {
  const ofRun = { names: names.runs, active, onTick };
  if (typeof row === "string") return <RunRow run={row} depth={0} {...ofRun} />;
  if (row.kind === "run") return <RunRow run={row.run} label={row.label} depth={row.depth} {...ofRun} />;
  return <BranchRow branch={row} shown={names.branches.get(row.label) ?? row.label} active={active} />;
}

/** Says why the list is empty, and offers a remedy. */
function NothingListed(): JSX.Element {
  const t = texts.value.runs;
  const none = useComputed(() => allRuns.value.length === 0).value;
  if (none) return <p class="run-list__empty">{t.noRunsYet}</p>;
  if (filterPending.value) return <p class="run-list__empty">{t.filtering}</p>;
  return (
    <div class="run-list__empty">
      <p>{t.noneListed(allRuns.value.length)}</p>
      <Button
        label={t.clearFilters}
        title={t.clearFilters}
        onClick={() => changeView({ runFilter: "", columnFilters: {} })}
      />
    </div>
  );
}
