// The table of runs: thousands of rows, hundreds of columns. Checkboxes select rows, Shift selects a range, Ctrl+A all;
// arrow keys move, Enter opens a run.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keyOfRow, type Row, runOf } from "../../state/run_rows";
import { namePx, pinnedColumns, tableColumns, tableRows, widthOf } from "../../state/run_table";
import { listedRuns } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { useHeldColumns } from "../../widgets/held_columns";
import { rowLayout, rowsInSight } from "../../widgets/table_rows";
import { useRowKeys, useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import { ColumnHeader } from "./column_header";
import { Cells } from "./columns_in_sight";
import { runsOf, toggleRows } from "./row_selection";
import { openRun } from "./run_menu";
import { GroupCells, neededNamePx, RunCells } from "./table_cells";
import { type Layout, layoutOf, namesPx } from "./table_layout";

const ROW_PX = 30;
const MARGIN_ROWS = 8;
const GUESS = { topPx: 0, leftPx: 0, widthPx: 1200, heightPx: 800 };

type Selection = Signal<ReadonlySet<string>>;
type Properties = { readonly selected: Selection; readonly onColumns: () => void };

export function RunsTable({ selected, onColumns }: Properties): JSX.Element {
  const table = useTableFrame(GUESS);
  useHeldColumns(table.frame);
  const last = useSignal(0);
  const rows = tableRows.value;
  const select = (row: number, { shiftKey }: { readonly shiftKey: boolean }): void => {
    selected.value = toggleRows(rows, selected.value, shiftKey ? last.value : row, row);
    last.value = row;
  };
  const down = rowLayout(rows.length, ROW_PX);
  const { active, onKeyDown } = useRowKeys(table, down, (event, row) => {
    if (event.key === " ") select(row, event);
    else return onRowKey(event, rows[row], selected);
    return true;
  });
  const { topPx, leftPx, widthPx, heightPx } = table.shown.value;
  const othersPx = tableColumns.value.reduce((sum, column) => sum + widthOf(column), 0);
  const fittedPx = namesPx(neededNamePx.value, widthPx, othersPx);
  useLayoutEffect(() => {
    namePx.value = fittedPx;
  }, [fittedPx]);
  const layout = layoutOf(tableColumns.value, pinnedColumns.value, widthOf, leftPx, widthPx);
  const { first, end } = rowsInSight(down, topPx, heightPx, MARGIN_ROWS);
  const picked = selected.value;
  return (
    <VirtualTable
      frame={table.frame}
      label={texts.value.runs.table}
      role="grid"
      className="runs-table"
      rowCount={rows.length + 1}
      columnCount={layout.count + 2}
      widthPx={layout.totalPx}
      heightPx={down.totalPx}
      head={<Head layout={layout} selected={selected} onColumns={onColumns} />}
      empty={rows.length === 0 && <NoRows />}
      onKeyDown={onKeyDown}
    >
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
    </VirtualTable>
  );
}

/** Handles keys other than arrows in a row; returns false for unused keys. */
function onRowKey(event: KeyboardEvent, row: Row | undefined, selected: Selection): boolean {
  const run = row === undefined ? null : runOf(row);
  if (event.key === "Enter" && run !== null) openRun(run);
  else if (event.key === "a" && (event.ctrlKey || event.metaKey)) selected.value = new Set(listedRuns.value);
  else if (event.key === "Escape" && selected.value.size > 0) selected.value = new Set();
  else return false;
  return true;
}

type HeadProperties = Properties & { readonly layout: Layout };

function Head({ layout, selected, onColumns }: HeadProperties): JSX.Element {
  const some = selected.value.size > 0;
  const all = listedRuns.value.length;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus
    <div class="virtual-table__head virtual-table__headers" role="row" style={{ width: `${layout.totalPx}px` }}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its box takes the focus */}
      <span class="runs-table__select" role="columnheader">
        <AllSelected
          some={some}
          all={all > 0 && selected.value.size >= all}
          onToggle={() => (selected.value = some ? new Set() : new Set(listedRuns.value))}
        />
      </span>
      <ColumnHeader column="name" leftPx={layout.nameLeftPx} onColumns={onColumns} />
      <Cells layout={layout}>
        {(column, left) => <ColumnHeader key={column} column={column} leftPx={left} onColumns={onColumns} />}
      </Cells>
    </div>
  );
}

function NoRows(): JSX.Element {
  const t = texts.value.runs;
  return (
    <div class="virtual-table__empty runs-table__empty">
      <p>{t.noneListed(view.value.runFilter === "" ? 0 : listedRuns.value.length)}</p>
      <Button
        label={t.clearFilters}
        title={t.clearFilters}
        onClick={() => changeView({ runFilter: "", columnFilters: {} })}
      />
    </div>
  );
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
      class={`virtual-table__row virtual-table__cells runs-table__row${selected ? " runs-table__row--selected" : ""}${branch ? " runs-table__row--group" : ""}`}
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
