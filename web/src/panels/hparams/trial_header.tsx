// The head of a column: sorts, opens its menu and its filter, is dragged to another place or width. All of it by
// keyboard, too: Enter sorts, Alt+arrows move, the edge takes arrows.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { cycleSort, moveColumn, setFilter, setWidth, shiftColumn, sortKeys } from "../../state/hparams";
import type { TrialColumn } from "../../state/trials_columns";
import { member } from "../../state/view";
import { ColumnEdge } from "../../widgets/column_edge";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Popover } from "../../widgets/popover";
import { columnItems } from "./column_items";
import { ValueChooser } from "./value_chooser";
import { alignsRight, columnTitle, words } from "./words";

const filters = member("hparamsFilters");
const DRAG_TYPE = "application/x-lightboard-trial-column";

type Properties = {
  /** Null: the column of names. */
  readonly column: TrialColumn | null;
  readonly widthPx: number;
};

export function TrialHeader({ column, widthPx }: Properties): JSX.Element {
  const t = words();
  const filtering = useSignal(false);
  const over = useSignal(false);
  const head = useRef<HTMLDivElement>(null);
  const id = column?.id ?? "name";
  const title = column === null ? t.trial : columnTitle(column);
  const keys = sortKeys.value;
  const place = keys.findIndex((key) => key.column === id);
  const sort = keys[place];
  const classes = [
    "trials-table__header",
    column === null ? "trials-table__header--name" : "",
    column !== null && alignsRight(column) ? "trials-table__header--right" : "",
    column?.role === "metric" ? "trials-table__header--metric" : "",
    over.value ? "trials-table__header--over" : "",
  ];
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div
        ref={head}
        class={classes.filter((one) => one !== "").join(" ")}
        role="columnheader"
        aria-sort={sort === undefined ? "none" : sort.down ? "descending" : "ascending"}
        data-trial-column={id}
        style={{ width: `${widthPx}px` }}
        draggable={column !== null}
        onDragStart={(event) => event.dataTransfer?.setData(DRAG_TYPE, id)}
        onDragOver={(event) => {
          if (column === null || event.dataTransfer?.types.includes(DRAG_TYPE) !== true) return;
          event.preventDefault();
          over.value = true;
        }}
        onDragLeave={() => {
          over.value = false;
        }}
        onDrop={(event) => {
          over.value = false;
          moveColumn(event.dataTransfer?.getData(DRAG_TYPE) ?? "", id);
        }}
      >
        <button
          type="button"
          class="trials-table__sort"
          title={column?.description ? `${title}\n${column.description}\n${t.sortHint(title)}` : t.sortHint(title)}
          onClick={(event) => cycleSort(id, event.shiftKey)}
          onKeyDown={(event) => {
            const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
            if (!event.altKey || by === 0 || column === null) return;
            event.preventDefault();
            shiftColumn(id, by);
          }}
        >
          <bdi class="trials-table__heading">{title}</bdi>
          {filters.value[id] !== undefined && <Icon name="filter" />}
          {sort !== undefined && <Icon name={sort.down ? "down" : "up"} />}
          {sort !== undefined && keys.length > 1 && <sup>{place + 1}</sup>}
        </button>
        {column !== null && (
          <Menu
            label={t.columnMenu(title)}
            items={columnItems(column, () => {
              filtering.value = true;
            })}
          />
        )}
        <ColumnEdge label={t.resize(title)} widthPx={widthPx} onResize={(next) => setWidth(id, next)} />
      </div>
      {filtering.value && head.current !== null && column !== null && (
        <Popover
          anchor={head.current}
          label={t.filter(title)}
          onClose={() => {
            filtering.value = false;
          }}
        >
          <div class="trials-table__filter">
            <strong>{t.filter(title)}</strong>
            <ValueChooser column={column} filter={filters.value[id] ?? {}} onChange={(next) => setFilter(id, next)} />
          </div>
        </Popover>
      )}
    </>
  );
}
