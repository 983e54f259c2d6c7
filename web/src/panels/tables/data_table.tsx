// A logged table. A click on a column head sorts: ascending, descending, as logged; fields below the heads filter.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Cell, TableColumn, TableRows } from "../../state/table_pages";
import * as tablesWords from "../../state/texts/tables";
import { spoken } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { type RowRange, rowLayout, rowsInSight } from "../../widgets/table_rows";
import { useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import { shownCell, widthsOf } from "./cells";
import "./data_table.css";

type Properties = {
  readonly label: string;
  readonly rows: TableRows;
  /** As in the view: "loss", "-loss", "". */
  readonly sort: string;
  readonly filter: Readonly<Record<string, string>>;
  /** The error of a filter. */
  readonly problem: string | null;
  /** Filter fields are visible. */
  readonly filtering: boolean;
  readonly onSort: (sort: string) => void;
  readonly onFilter: (column: string, text: string) => void;
};

// a table element needs all rows; this one renders only visible rows, so ARIA roles replace the elements
const AS = {
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

const ROW_PX = 26;
const MARGIN_ROWS = 12;
const SAMPLE_ROWS = 50;

type Columns = readonly TableColumn[];
type Grid = { readonly gridTemplateColumns: string };

export function DataTable(properties: Properties): JSX.Element {
  const { label, rows, problem } = properties;
  const words = spoken(tablesWords);
  const facts = rows.facts.value;
  const columns = facts?.columns ?? [];
  const passing = facts?.passing ?? 0;
  const { frame, shown } = useTableFrame();
  void rows.version.value;
  const layout = rowLayout(passing, ROW_PX);
  const range = rowsInSight(layout, shown.value.topPx, shown.value.heightPx, MARGIN_ROWS);
  useEffect(() => {
    if (passing > 0) rows.want(range.first, range.end - 1);
  }, [rows, range.first, range.end, passing]);
  const { grid, totalPx } = useColumns(columns, rows);
  if (columns.length === 0) return <div class="card__message">{words.noColumns}</div>;
  return (
    <>
      {problem !== null && (
        <div class="data-table__problem" role="alert">
          {problem}
        </div>
      )}
      <VirtualTable
        frame={frame}
        label={label}
        role="table"
        className="data-table"
        rowCount={passing}
        columnCount={columns.length}
        widthPx={totalPx}
        heightPx={layout.totalPx}
        head={<Heads {...properties} columns={columns} grid={grid} totalPx={totalPx} />}
        empty={passing === 0 && <div class="data-table__none">{facts?.rows === 0 ? words.noRows : words.none}</div>}
        testId="data-table"
      >
        <DataRows columns={columns} rows={rows} range={range} grid={grid} />
      </VirtualTable>
    </>
  );
}

/** Measures column widths on the first rows and keeps them: columns must not move while the user scrolls. */
function useColumns(columns: Columns, rows: TableRows): { readonly grid: Grid; readonly totalPx: number } {
  const sampled = rows.row(0) !== undefined;
  return useMemo(() => {
    const sample = Array.from({ length: SAMPLE_ROWS }, (_, row) => rows.row(row)).filter((row) => row !== undefined);
    const widths = widthsOf(columns, sample);
    return {
      grid: { gridTemplateColumns: widths.map((width) => `minmax(${width}px, ${width}fr)`).join(" ") },
      totalPx: widths.reduce((sum, width) => sum + width, 0),
    };
  }, [columns.map(({ name }) => name).join("\0"), sampled]);
}

type HeadsProps = Properties & { readonly columns: Columns; readonly grid: Grid; readonly totalPx: number };

function Heads({ columns, grid, totalPx, sort, filter, filtering, onSort, onFilter }: HeadsProps): JSX.Element {
  return (
    <div class="virtual-table__head data-table__head" {...AS.rowgroup} style={{ width: `${totalPx}px` }}>
      <div class="data-table__row" {...AS.row} style={grid}>
        {columns.map((column, at) => (
          <Head key={at} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      {filtering && (
        <div class="data-table__row data-table__filters" {...AS.row} style={grid}>
          {columns.map((column, at) => (
            <FilterField key={at} column={column} value={filter[column.name] ?? ""} onFilter={onFilter} />
          ))}
        </div>
      )}
    </div>
  );
}

type RowsProps = {
  readonly columns: Columns;
  readonly rows: TableRows;
  readonly range: RowRange;
  readonly grid: Grid;
};

function DataRows({ columns, rows, range, grid }: RowsProps): JSX.Element {
  void rows.version.value;
  const indexes = Array.from({ length: Math.max(0, range.end - range.first) }, (_, offset) => range.first + offset);
  return (
    <>
      {indexes.map((index) => {
        const cells = rows.row(index);
        return (
          <div
            key={index}
            class="virtual-table__row data-table__row data-table__row--data"
            {...AS.row}
            {...{ "aria-rowindex": index + 1 }}
            style={{ ...grid, transform: `translateY(${index * ROW_PX}px)` }}
          >
            {columns.map((column, at) => (
              <DataCell key={at} column={column} cell={cells?.[at]} />
            ))}
          </div>
        );
      })}
    </>
  );
}

type HeadProps = {
  readonly column: TableColumn;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
};

function Head({ column: { name, type }, sort, onSort }: HeadProps): JSX.Element {
  const words = spoken(tablesWords);
  const up = sort === name;
  const down = sort === `-${name}`;
  return (
    <div
      {...AS.columnheader}
      {...{ "aria-sort": up ? "ascending" : down ? "descending" : ("none" as const) }}
      class={type === "number" ? "data-table__cell data-table__cell--number" : "data-table__cell"}
    >
      <button
        type="button"
        class="data-table__sort"
        title={words.sort(name)}
        onClick={() => onSort(up ? `-${name}` : down ? "" : name)}
      >
        <span class="data-table__name">{name === "" ? "–" : name}</span>
        {(up || down) && <Icon name={up ? "up" : "down"} />}
      </button>
    </div>
  );
}

type FieldProps = {
  readonly column: TableColumn;
  readonly value: string;
  readonly onFilter: (column: string, text: string) => void;
};

// debounce: no request per typed letter
const TYPING_MS = 250;

function FilterField({ column: { name }, value, onFilter }: FieldProps): JSX.Element {
  const words = spoken(tablesWords);
  const typed = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const settle = (): void => {
    clearTimeout(timer.current);
    if (typed.peek() !== null) onFilter(name, typed.peek() ?? "");
    typed.value = null;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div {...AS.cell} class="data-table__cell data-table__cell--filter">
      <input
        class="field__input"
        type="text"
        spellcheck={false}
        autocomplete="off"
        aria-label={words.filterOf(name)}
        title={words.filterHint}
        value={typed.value ?? value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          clearTimeout(timer.current);
          timer.current = setTimeout(settle, TYPING_MS);
        }}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.isComposing) settle();
        }}
      />
    </div>
  );
}

function DataCell({ column, cell }: { readonly column: TableColumn; readonly cell: Cell | undefined }): JSX.Element {
  const number = column.type === "number";
  const text = cell === undefined ? "" : shownCell(cell, number);
  const quiet = cell === null || (number && cell === "NaN");
  const classes = `data-table__cell${number ? " data-table__cell--number" : ""}${quiet ? " data-table__cell--quiet" : ""}`;
  return (
    <div {...AS.cell} class={classes} title={cell === undefined || cell === null ? undefined : String(cell)}>
      {cell === undefined ? <span class="data-table__waiting" /> : text}
    </div>
  );
}
