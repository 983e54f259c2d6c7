// The head of a column: sorts, opens its menu, is dragged to another place or to another width. All of it by keyboard,
// too: Enter sorts, Alt+arrows move, the edge takes arrows.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { hparamOf } from "../../state/run_columns";
import { cycleSort, sortOf } from "../../state/run_order";
import { moveColumn, removeColumn, setWidth, shiftColumn, togglePinned, widthOf } from "../../state/run_table";
import { changeView, texts, view } from "../../state/view";
import { ColumnEdge } from "../../widgets/column_edge";
import { Icon } from "../../widgets/icons";
import { Menu, type MenuItem } from "../../widgets/menu";
import { ColumnFilterPopover } from "./column_filter";
import { alignsRight, columnTitle } from "./format";

type Properties = { readonly column: string; readonly leftPx: number | null; readonly onColumns: () => void };

const DRAG_TYPE = "application/x-lightboard-column";

export function ColumnHeader({ column, leftPx, onColumns }: Properties): JSX.Element {
  const t = texts.value.runs;
  const filtering = useSignal(false);
  const over = useSignal(false);
  const head = useRef<HTMLDivElement>(null);
  const sort = sortOf(column);
  const title = columnTitle(column);
  const fixed = column === "name";
  const filtered = view.value.columnFilters[column] !== undefined;
  const style = { width: `${widthOf(column)}px`, ...(leftPx === null ? {} : { left: `${leftPx}px` }) };
  const classes = [
    "runs-table__header",
    leftPx === null ? "" : "runs-table__cell--pinned",
    alignsRight(column) ? "runs-table__header--right" : "",
    over.value ? "runs-table__header--over" : "",
  ];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div
        ref={head}
        class={classes.filter((one) => one !== "").join(" ")}
        role="columnheader"
        aria-sort={sort === null ? "none" : sort.down ? "descending" : "ascending"}
        data-column={column}
        style={style}
        draggable={!fixed}
        onDragStart={(event) => event.dataTransfer?.setData(DRAG_TYPE, column)}
        onDragOver={(event) => {
          if (fixed || event.dataTransfer?.types.includes(DRAG_TYPE) !== true) return;
          event.preventDefault();
          over.value = true;
        }}
        onDragLeave={() => (over.value = false)}
        onDrop={(event) => {
          over.value = false;
          const moved = event.dataTransfer?.getData(DRAG_TYPE) ?? "";
          if (moved !== "") moveColumn(moved, column);
        }}
      >
        <button
          type="button"
          class="runs-table__sort"
          title={t.sortHint(title)}
          onClick={(event) => cycleSort(column, event.shiftKey)}
          onKeyDown={(event) => {
            const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
            if (!event.altKey || by === 0 || fixed) return;
            event.preventDefault();
            shiftColumn(column, by);
          }}
        >
          <bdi class="runs-table__title">{title}</bdi>
          {filtered && <Icon name="filter" />}
          {sort !== null && <Icon name={sort.down ? "down" : "up"} />}
          {sort !== null && view.value.runSort.length > 1 && <sup>{sort.place}</sup>}
        </button>
        <Menu
          label={t.columnMenu(title)}
          icon="menu"
          items={itemsOf(column, onColumns, () => (filtering.value = true))}
        />
        <ColumnEdge
          label={t.resizeColumn(columnTitle(column))}
          widthPx={widthOf(column)}
          onResize={(next) => setWidth(column, next)}
        />
      </div>
      {/* beside the head: what is inside it would be dragged with it */}
      {filtering.value && head.current !== null && (
        <ColumnFilterPopover column={column} anchor={head.current} onClose={() => (filtering.value = false)} />
      )}
    </>
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
