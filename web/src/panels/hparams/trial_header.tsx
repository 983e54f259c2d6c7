// The header of a column in the table of trials.

import type { JSX } from "preact";
import { cycleSort, moveColumn, setFilter, setWidth, shiftColumn, shownColumns, sortKeys } from "../../state/hparams";
import type { TrialColumn } from "../../state/trials_columns";
import { member } from "../../state/view";
import { Popover } from "../../widgets/popover";
import { TableHeader } from "../../widgets/table_header";
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
  const id = column?.id ?? "name";
  const title = column === null ? t.trial : columnTitle(column);
  const keys = sortKeys.value;
  const place = keys.findIndex((key) => key.column === id);
  const sort = keys[place];
  const ofMetric = column?.role === "metric";
  return (
    <TableHeader
      column={id}
      title={title}
      among={shownColumns.value.map(columnTitle)}
      hint={column?.description ? `${title}\n${column.description}\n${t.sortHint(title)}` : t.sortHint(title)}
      className={ofMetric ? "trials-table__header trials-table__header--metric" : "trials-table__header"}
      style={column === null ? { left: "0" } : undefined}
      widthPx={widthPx}
      held={column === null}
      right={column !== null && alignsRight(column)}
      sort={sort === undefined ? null : { down: sort.down, place: keys.length > 1 ? place + 1 : null }}
      filtered={filters.value[id] !== undefined}
      dragType={column === null ? null : DRAG_TYPE}
      onSort={(more) => cycleSort(id, more)}
      onShift={(by) => shiftColumn(id, by)}
      onDrop={(moved) => moveColumn(moved, id)}
      onResize={(next) => setWidth(id, next)}
      resizeLabel={t.resize(title)}
      menu={column && { label: t.columnMenu(title), items: (onFilter) => columnItems(column, onFilter) }}
      filter={(anchor, onClose) => column && <ColumnFilter column={column} anchor={anchor} onClose={onClose} />}
      data={{ "data-trial-column": id }}
    />
  );
}

type FilterProperties = {
  readonly column: TrialColumn;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
};

function ColumnFilter({ column, anchor, onClose }: FilterProperties): JSX.Element {
  const label = words().filter(columnTitle(column));
  return (
    <Popover anchor={anchor} label={label} onClose={onClose}>
      <div class="trials-table__filter">
        <strong>{label}</strong>
        <ValueChooser
          column={column}
          filter={filters.value[column.id] ?? {}}
          onChange={(next) => setFilter(column.id, next)}
        />
      </div>
    </Popover>
  );
}
