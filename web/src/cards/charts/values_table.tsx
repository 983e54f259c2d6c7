// A sortable table of runs and numbers; only visible rows are rendered.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { formatNumber } from "../../base/numbers";
import { shortNames } from "../../base/short_names";
import { colorOf, shownName } from "../../state/runs";
import { dateText, durationText, grouped, texts } from "../../state/view";
import { useObservedSize } from "../../widgets/observed_size";
import { textPx } from "../../widgets/text_width";
import { VirtualList } from "../../widgets/virtual_list";
import { ROW_PX } from "./step_table_size";
import { type ColumnKey, type Order, sortRows, type TableRow } from "./table_rows";
import "./values_table.css";

// only visible rows are rendered, in <div>s; ARIA roles make them a table for screen readers
const ROLES = {
  table: { role: "table" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

// minimum column widths: a name, six digits; with the gap
const RUN_PX = 110;
const NUMBER_PX = 70;
// swatch and gap before a name, padding of a row; the font is smaller than that of the page
const SWATCH_PX = 18;
const PADDING_PX = 24;
const FONT_RATIO = 12 / 13;

type Properties = {
  readonly label: string;
  readonly rows: readonly TableRow[];
  readonly columns: readonly ColumnKey[];
  /** The table has several tags: each row shows its tag. */
  readonly several: boolean;
};

export function ValuesTable({ label, rows, columns, several }: Properties): JSX.Element {
  const order = useSignal<Order | null>(null);
  const sorted = sortRows(rows, order.value, shownName);
  const frame = useRef<HTMLDivElement>(null);
  const { runPx, names } = useNames(frame, rows, columns, several);
  const tracks = columns.map((column) => (column === "run" ? `${runPx}px` : "minmax(64px, 1fr)")).join(" ");
  const leastPx = runPx + (columns.length - 1) * NUMBER_PX;
  return (
    <div class="values-table" ref={frame}>
      <div
        class="values-table__content"
        style={{ minWidth: `${leastPx}px` }}
        {...ROLES.table}
        {...{ "aria-label": label, "aria-rowcount": sorted.length + 1 }}
      >
        <div class="values-table__row values-table__head" {...ROLES.row} style={{ gridTemplateColumns: tracks }}>
          {columns.map((column) => (
            <Head key={column} column={column} order={order} />
          ))}
        </div>
        <VirtualList items={sorted} rowHeightPx={ROW_PX} label={label} keyOf={(row) => row.key} role="rowgroup">
          {(row, index) => (
            <div
              class="values-table__row"
              {...ROLES.row}
              {...{ "aria-rowindex": index + 2 }}
              style={{ gridTemplateColumns: tracks }}
              data-row={row.run}
            >
              {columns.map((column) => (
                <Cell key={column} column={column} row={row} name={names.get(nameOf(row, several)) ?? ""} />
              ))}
            </div>
          )}
        </VirtualList>
      </div>
    </div>
  );
}

function nameOf({ run, tag }: TableRow, several: boolean): string {
  return several ? `${shownName(run)} · ${tag}` : shownName(run);
}

type Names = { readonly runPx: number; readonly names: ReadonlyMap<string, string> };

/** Returns the width of the column of names, as wide as needed and possible, and names that fit into it. */
function useNames(
  frame: RefObject<HTMLDivElement | null>,
  rows: readonly TableRow[],
  columns: readonly ColumnKey[],
  several: boolean,
): Names {
  const widthPx = useSignal(0);
  useObservedSize(frame, ({ clientWidth }) => {
    widthPx.value = clientWidth;
  });
  const all = rows.map((row) => nameOf(row, several));
  const freePx = Math.max(RUN_PX, widthPx.value - PADDING_PX - (columns.length - 1) * NUMBER_PX);
  return useMemo(() => {
    const size = (text: string): number => textPx.value(text) * FONT_RATIO;
    const neededPx = all.reduce((most, name) => Math.max(most, size(name)), 0) + SWATCH_PX;
    const runPx = Math.max(RUN_PX, Math.min(freePx, Math.ceil(neededPx)));
    return { runPx, names: shortNames(all, runPx - SWATCH_PX, size) };
  }, [freePx, all.join("\n")]);
}

/** Returns the order after a click: first the column's default direction, then the other one, then none. */
function orderAfter(now: Order | null, column: ColumnKey): Order | null {
  const usual = column !== "run";
  if (now?.column !== column) return { column, down: usual };
  return now.down === usual ? { column, down: !now.down } : null;
}

type HeadProps = { readonly column: ColumnKey; readonly order: Signal<Order | null> };

function Head({ column, order }: HeadProps): JSX.Element {
  const words = texts.value.timeseries;
  const now = order.value?.column === column ? order.value : null;
  const sort = (): void => {
    order.value = orderAfter(order.value, column);
  };
  return (
    <span {...ROLES.columnheader} {...{ "aria-sort": now === null ? "none" : now.down ? "descending" : "ascending" }}>
      <button type="button" title={words.sortBy(words.columnNames[column])} onClick={sort}>
        {words.columnNames[column]}
        {now !== null && (now.down ? " ↓" : " ↑")}
      </button>
    </span>
  );
}

type CellProps = { readonly column: ColumnKey; readonly row: TableRow; readonly name: string };

function Cell({ column, row, name }: CellProps): JSX.Element {
  if (column === "run") {
    return (
      <span {...ROLES.cell} class="values-table__run" title={`${row.run}\n${row.tag}`}>
        <span class="values-table__swatch" style={{ background: colorOf.value(row.run) }} />
        <span class="values-table__name">{name}</span>
      </span>
    );
  }
  const value = row.cells[column] ?? null;
  return (
    <span {...ROLES.cell} class="values-table__number" title={String(value ?? "")}>
      {cellText(column, value)}
    </span>
  );
}

const STEPS: ReadonlySet<ColumnKey> = new Set([
  "step",
  "startStep",
  "endStep",
  "stepAtMin",
  "stepAtMax",
  "points",
  "lastStep",
]);

function cellText(column: ColumnKey, value: number | null): string {
  if (value === null) return "–";
  if (STEPS.has(column)) return grouped(value);
  if (column === "relative") return durationText(value);
  if (column === "time") return dateText(value, "second") ?? "–";
  if (column === "percent") return `${value > 0 ? "+" : ""}${formatNumber(value, 3)}%`;
  if (column === "change") return `${value > 0 ? "+" : ""}${formatNumber(value)}`;
  return formatNumber(value);
}
