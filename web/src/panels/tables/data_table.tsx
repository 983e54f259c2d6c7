// Rows and columns of which only the rows in sight exist. A click on a head sorts: up, down, as it was logged; fields below
// the heads filter.

import { useSignal } from "@preact/signals";
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Cell, TableColumn, TableRows } from "../../state/table_pages";
import * as tablesWords from "../../state/texts/tables";
import { spoken } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { shownCell, widthsOf } from "./cells";
import "./data_table.css";

type Properties = {
  readonly label: string;
  readonly rows: TableRows;
  /** As the view has it: "loss", "-loss", "". */
  readonly sort: string;
  readonly filter: Readonly<Record<string, string>>;
  /** What is wrong with a filter. */
  readonly problem: string | null;
  /** Fields for filters are there. */
  readonly filtering: boolean;
  readonly onSort: (sort: string) => void;
  readonly onFilter: (column: string, text: string) => void;
};

// a real table cannot leave out the rows that are not in sight; what everything is stands in roles
const AS = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

const ROW_PX = 26;
const MARGIN_ROWS = 12;
const SAMPLE_ROWS = 50;

export function DataTable(properties: Properties): JSX.Element {
  const { label, rows, sort, filter, problem, filtering, onSort } = properties;
  const words = spoken(tablesWords);
  const facts = rows.facts.value;
  const columns = facts?.columns ?? [];
  const passing = facts?.passing ?? 0;
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useSignal(0);
  const options = {
    count: passing,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: MARGIN_ROWS,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => {
      drawn.value += 1;
    },
  };
  const kept = useRef<Virtualizer<HTMLDivElement, Element> | null>(null);
  kept.current ??= new Virtualizer<HTMLDivElement, Element>(options);
  const virtualizer = kept.current;
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  void drawn.value;
  void rows.version.value;
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (passing > 0) rows.want(first, last);
  }, [rows, first, last, passing]);
  // measured on the first rows, and then kept: columns that move while one scrolls cannot be read
  const sampled = rows.row(0) !== undefined;
  const widths = useMemo(() => {
    const sample = Array.from({ length: SAMPLE_ROWS }, (_, row) => rows.row(row)).filter((row) => row !== undefined);
    return widthsOf(columns, sample);
  }, [columns.map(({ name }) => name).join("\0"), sampled]);
  const grid = { gridTemplateColumns: widths.map((width) => `minmax(${width}px, ${width}fr)`).join(" ") };
  const totalPx = widths.reduce((sum, width) => sum + width, 0);
  if (columns.length === 0) return <div class="card__message">{words.noColumns}</div>;
  return (
    <>
      {problem !== null && (
        <div class="data-table__problem" role="alert">
          {problem}
        </div>
      )}
      <div
        class="data-table"
        ref={frame}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
        tabIndex={0}
        {...AS.table}
        {...{ "aria-label": label, "aria-rowcount": passing, "aria-colcount": columns.length }}
        data-testid="data-table"
      >
        <div class="data-table__head" {...AS.rowgroup} style={{ minWidth: `${totalPx}px` }}>
          <div class="data-table__row" {...AS.row} style={grid}>
            {columns.map((column, at) => (
              <Head key={at} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
          {filtering && (
            <div class="data-table__row data-table__filters" {...AS.row} style={grid}>
              {columns.map((column, at) => (
                <FilterField
                  key={at}
                  column={column}
                  value={filter[column.name] ?? ""}
                  onFilter={properties.onFilter}
                />
              ))}
            </div>
          )}
        </div>
        {passing === 0 ? (
          <div class="data-table__none">{facts?.rows === 0 ? words.noRows : words.none}</div>
        ) : (
          <div
            class="data-table__body"
            {...AS.rowgroup}
            style={{ height: `${virtualizer.getTotalSize()}px`, minWidth: `${totalPx}px` }}
          >
            {items.map(({ index, start }) => {
              const cells = rows.row(index);
              return (
                <div
                  key={index}
                  class="data-table__row data-table__row--data"
                  {...AS.row}
                  {...{ "aria-rowindex": index + 1 }}
                  style={{ ...grid, transform: `translateY(${start}px)` }}
                >
                  {columns.map((column, at) => (
                    <DataCell key={at} column={column} cell={cells?.[at]} />
                  ))}
                </div>
              );
            })}
          </div>
        )}
      </div>
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

// typing is not a question each letter
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
