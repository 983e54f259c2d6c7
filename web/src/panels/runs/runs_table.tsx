// The table of runs. Only rows and columns in sight are in the page: 100,000 runs and hundreds of columns cost as much as
// a screenful. Rows are chosen by their boxes, Shift takes a range, Ctrl+A all; arrows move, Enter opens a run.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keyOfRow, type Row, runOf } from "../../state/run_rows";
import { pinnedColumns, tableColumns, tableRows, widthOf } from "../../state/run_table";
import { listedRuns } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { useHeldColumns } from "../../widgets/held_columns";
import { ColumnHeader } from "./column_header";
import { Cells } from "./columns_in_sight";
import { openRun } from "./run_menu";
import { GroupCells, RunCells } from "./table_cells";
import { type Layout, layoutOf } from "./table_layout";

const ROW_PX = 30;
const HEAD_PX = 34;
const MARGIN_ROWS = 8;

type Properties = { readonly selected: Signal<ReadonlySet<string>>; readonly onColumns: () => void };

type Window = { readonly topPx: number; readonly leftPx: number; readonly widthPx: number; readonly heightPx: number };

export function RunsTable({ selected, onColumns }: Properties): JSX.Element {
  const t = texts.value.runs;
  const frame = useRef<HTMLDivElement>(null);
  useHeldColumns(frame);
  const shown = useSignal<Window>({ topPx: 0, leftPx: 0, widthPx: 1200, heightPx: 800 });
  const active = useSignal(0);
  const last = useSignal(0);
  const rows = tableRows.value;
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      const { scrollTop: topPx, scrollLeft: leftPx, clientWidth: widthPx, clientHeight: heightPx } = element;
      shown.value = { topPx, leftPx, widthPx, heightPx };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [shown]);

  const { topPx, leftPx, widthPx, heightPx } = shown.value;
  const layout = layoutOf(tableColumns.value, pinnedColumns.value, widthOf, leftPx, widthPx);
  const first = Math.max(0, Math.floor(topPx / ROW_PX) - MARGIN_ROWS);
  const end = Math.min(rows.length, Math.ceil((topPx + heightPx) / ROW_PX) + MARGIN_ROWS);

  const select = (index: number, event: { readonly shiftKey: boolean }): void => {
    const row = rows[index];
    if (row === undefined) return;
    const range = event.shiftKey ? rows.slice(Math.min(last.value, index), Math.max(last.value, index) + 1) : [row];
    const runs = range.flatMap((one) => runOf(one) ?? (range.length === 1 ? runsOf(one) : []));
    const on = !runsOf(row).every((run) => selected.value.has(run));
    const next = new Set(selected.value);
    for (const run of runs) {
      if (on) next.add(run);
      else next.delete(run);
    }
    selected.value = next;
    last.value = index;
  };
  const go = (to: number): void => {
    active.value = Math.min(rows.length - 1, Math.max(0, to));
    const element = frame.current;
    if (element === null) return;
    const place = active.value * ROW_PX;
    if (place < element.scrollTop) element.scrollTop = place;
    else if (place + ROW_PX + HEAD_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = place + ROW_PX + HEAD_PX - element.clientHeight;
    requestAnimationFrame(() => element.querySelector<HTMLElement>('.runs-table__row[tabindex="0"]')?.focus());
  };
  const onKey = (event: KeyboardEvent): void => {
    const row = rows[active.value];
    const inRow = event.target instanceof HTMLElement && event.target.classList.contains("runs-table__row");
    if (!inRow || row === undefined) return;
    const page = Math.max(1, Math.floor(heightPx / ROW_PX) - 2);
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const step = steps[event.key];
    const run = runOf(row);
    if (step !== undefined) go(active.value + step);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(rows.length - 1);
    else if (event.key === " ") select(active.value, event);
    else if (event.key === "Enter" && run !== null) openRun(run);
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selected.value = new Set(listedRuns.value);
    else if (event.key === "Escape" && selected.value.size > 0) selected.value = new Set();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const picked = selected.value;
  const all = listedRuns.value.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows that are not in the page cannot be in a table element
    <div
      class="runs-table"
      ref={frame}
      role="grid"
      aria-label={t.table}
      aria-rowcount={rows.length + 1}
      aria-colcount={layout.count + 2}
      tabIndex={-1}
      onKeyDown={onKey}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div class="runs-table__head" role="row" style={{ width: `${layout.totalPx}px` }}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: its box takes the focus */}
        <span class="runs-table__select" role="columnheader">
          <AllSelected
            some={picked.size > 0}
            all={all > 0 && picked.size >= all}
            onToggle={() => (selected.value = picked.size > 0 ? new Set() : new Set(listedRuns.value))}
          />
        </span>
        <ColumnHeader column="name" leftPx={layout.nameLeftPx} onColumns={onColumns} />
        <Cells layout={layout}>
          {(column, left) => <ColumnHeader key={column} column={column} leftPx={left} onColumns={onColumns} />}
        </Cells>
      </div>
      <div class="runs-table__body" style={{ height: `${rows.length * ROW_PX}px`, width: `${layout.totalPx}px` }}>
        {rows.slice(first, end).map((row, offset) => (
          <TableRow
            key={keyOfRow(row)}
            row={row}
            index={first + offset}
            layout={layout}
            selected={runsOf(row).every((run) => picked.has(run))}
            active={active.value === first + offset}
            onSelect={select}
            onFocus={(index) => (active.value = index)}
          />
        ))}
      </div>
      {rows.length === 0 && (
        <div class="runs-table__empty">
          <p>{t.noneListed(view.value.runFilter === "" ? 0 : all)}</p>
          <Button
            label={t.clearFilters}
            title={t.clearFilters}
            onClick={() => changeView({ runFilter: "", columnFilters: {} })}
          />
        </div>
      )}
    </div>
  );
}

function runsOf(row: Row): readonly string[] {
  if (typeof row === "string") return [row];
  return row.kind === "run" ? [row.run] : row.runs;
}

type AllProperties = { readonly some: boolean; readonly all: boolean; readonly onToggle: () => void };

function AllSelected({ some, all, onToggle }: AllProperties): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = some && !all;
  });
  const t = texts.value.runs;
  return (
    <input ref={box} type="checkbox" checked={all} title={t.selectAll} aria-label={t.selectAll} onClick={onToggle} />
  );
}

type RowProperties = {
  readonly row: Row;
  readonly index: number;
  readonly layout: Layout;
  readonly selected: boolean;
  readonly active: boolean;
  readonly onSelect: (index: number, event: { readonly shiftKey: boolean }) => void;
  readonly onFocus: (index: number) => void;
};

function TableRow({ row, index, layout, selected, active, onSelect, onFocus }: RowProperties): JSX.Element {
  const t = texts.value.runs;
  const run = runOf(row);
  const branch = typeof row === "object" && row.kind !== "run" ? row : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    <div
      class={`runs-table__row${selected ? " runs-table__row--selected" : ""}${branch ? " runs-table__row--group" : ""}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-table-run={run ?? undefined}
      tabIndex={active ? 0 : -1}
      style={{ transform: `translateY(${index * ROW_PX}px)`, width: `${layout.totalPx}px` }}
      onFocus={() => onFocus(index)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <span class="runs-table__select" role="gridcell">
        <input
          type="checkbox"
          checked={selected}
          tabIndex={-1}
          aria-label={t.selectRun(run ?? branch?.label ?? "")}
          onClick={(event) => onSelect(index, event)}
        />
      </span>
      {run !== null && <RunCells run={run} inGroup={typeof row === "object"} layout={layout} />}
      {branch !== null && <GroupCells branch={branch} layout={layout} />}
    </div>
  );
}
