// The head of a column in the table of runs, and its menu.

import type { JSX } from "preact";
import { hparamOf } from "../../state/run_columns";
import { cycleSort, sortOf } from "../../state/run_order";
import {
  moveColumn,
  removeColumn,
  setWidth,
  shiftColumn,
  tableColumns,
  togglePinned,
  widthOf,
} from "../../state/run_table";
import { changeView, texts, view } from "../../state/view";
import type { MenuItem } from "../../widgets/menu";
import { TableHeader } from "../../widgets/table_header";
import { ColumnFilterPopover } from "./column_filter";
import { alignsRight, columnTitle } from "./format";

type Properties = { readonly column: string; readonly leftPx: number | null; readonly onColumns: () => void };

const DRAG_TYPE = "application/x-lightboard-column";

export function ColumnHeader({ column, leftPx, onColumns }: Properties): JSX.Element {
  const t = texts.value.runs;
  const sort = sortOf(column);
  const title = columnTitle(column);
  const several = view.value.runSort.length > 1;
  return (
    <TableHeader
      column={column}
      title={title}
      among={tableColumns.value.map(columnTitle)}
      hint={t.sortHint(title)}
      className="runs-table__header"
      style={leftPx === null ? undefined : { left: `${leftPx}px` }}
      widthPx={widthOf(column)}
      held={leftPx !== null}
      right={alignsRight(column)}
      sort={sort === null ? null : { down: sort.down, place: several ? sort.place : null }}
      filtered={view.value.columnFilters[column] !== undefined}
      dragType={column === "name" ? null : DRAG_TYPE}
      onSort={(more) => cycleSort(column, more)}
      onShift={(by) => shiftColumn(column, by)}
      onDrop={(moved) => moveColumn(moved, column)}
      onResize={(next) => setWidth(column, next)}
      resizeLabel={t.resizeColumn(title)}
      menu={{ label: t.columnMenu(title), items: (onFilter) => itemsOf(column, onColumns, onFilter) }}
      filter={(anchor, onClose) => <ColumnFilterPopover column={column} anchor={anchor} onClose={onClose} />}
      data={{ "data-column": column }}
    />
  );
}

function sortBy(column: string, down: boolean, more: boolean): void {
  const others = more ? view.value.runSort.filter((sort) => sort.replace(/^-/, "") !== column) : [];
  changeView({ runSort: [...others, `${down ? "-" : ""}${column}`] });
}

function itemsOf(column: string, onColumns: () => void, onFilter: () => void): readonly MenuItem[] {
  const t = texts.value.runs;
  const many = view.value.runSort.length > 0 && sortOf(column) === null;
  const hparam = hparamOf(column);
  const items: MenuItem[] = [
    { label: t.sortUp, icon: "up", onSelect: () => sortBy(column, false, false) },
    { label: t.sortDown, icon: "down", onSelect: () => sortBy(column, true, false) },
  ];
  if (many) {
    items.push({ label: t.sortMoreUp, icon: "up", onSelect: () => sortBy(column, false, true) });
    items.push({ label: t.sortMoreDown, icon: "down", onSelect: () => sortBy(column, true, true) });
  }
  const filterable = !["name", "note", "files", "faults", "last_time"].includes(column);
  items.push({ label: t.filterColumn, icon: "filter", disabled: !filterable, onSelect: onFilter });
  if (hparam !== null) {
    items.push("separator");
    items.push({
      label: t.colorByColumn,
      icon: "palette",
      onSelect: () => changeView({ colorBy: `hparam:${hparam}` }),
    });
    items.push({ label: t.groupByColumn, icon: "group", onSelect: () => changeView({ group: `hparam:${hparam}` }) });
  }
  items.push("separator", { label: t.insertColumn, icon: "plus", onSelect: onColumns });
  if (column === "name") return items;
  const pinned = view.value.columnPins.includes(column);
  items.push(
    { label: t.moveLeft, icon: "left", shortcut: "Alt+←", onSelect: () => shiftColumn(column, -1) },
    { label: t.moveRight, icon: "right", shortcut: "Alt+→", onSelect: () => shiftColumn(column, 1) },
    { label: pinned ? t.unpinColumn : t.pinColumn, icon: "pin", onSelect: () => togglePinned(column) },
    { label: t.hideColumn, icon: "close", onSelect: () => removeColumn(column) },
  );
  return items;
}
