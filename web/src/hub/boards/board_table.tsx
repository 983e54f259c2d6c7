// The virtual table of boards. Only visible rows are rendered, and rows are requested from the hub as they come into
// sight. In narrow windows each row is a card.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Checkbox } from "../../widgets/checkbox";
import { type MenuItem, MenuList } from "../../widgets/menu";
import { TableHeader } from "../../widgets/table_header";
import { rowLayout, rowsInSight } from "../../widgets/table_rows";
import { HEAD_PX, useRowKeys, useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import type { Board } from "../api/types";
import { narrow } from "../narrow";
import { spoken } from "../preferences";
import { address, changeQuery, go } from "../router";
import * as area from "../texts/boards";
import type { BoardList } from "./board_list";
import { type RowProperties, TableRow } from "./board_row";
import "./board_table.css";
import { type Column, layoutWidths, resizeColumn, SELECT_PX, shownColumns, TOOLS_PX } from "./columns";
import { canOpen, menuItems } from "./commands";

const ROW_PX = 38;
const CARD_PX = 102;
const MARGIN_ROWS = 6;

type Properties = {
  readonly list: BoardList;
  readonly onDelete: () => void;
};

type OpenMenu = {
  readonly board: Board;
  readonly anchor: HTMLElement | { readonly xPx: number; readonly yPx: number };
};

export function BoardTable({ list, onDelete }: Properties): JSX.Element {
  const words = spoken(area);
  const cards = narrow.value;
  const rows = list.rows.value;
  const count = Math.max(rows.length, list.total.value ?? SKELETONS);
  const layout = rowLayout(count, cards ? CARD_PX : ROW_PX);
  const table = useTableFrame({ topPx: 0, leftPx: 0, widthPx: innerWidth, heightPx: innerHeight });
  const menu = useSignal<OpenMenu | null>(null);
  const anchorRow = useSignal(0);
  const { active, onKeyDown } = useRowKeys(table, layout, (event, row) => {
    const board = rows[row];
    return board !== undefined && rowKey(event, { list, board, row, anchorRow, menu, onDelete });
  });
  if (active.value >= count && count > 0) active.value = count - 1;
  const { topPx, heightPx, widthPx: framePx } = table.shown.value;
  const range = rowsInSight(layout, topPx, heightPx, MARGIN_ROWS);
  const shows = list.shows.value;
  useEffect(() => {
    if (table.frame.current !== null) table.frame.current.scrollTop = 0;
    active.value = 0;
    anchorRow.value = 0;
  }, [shows]);
  // a row that can be reached with Tab is always there, however far the list was scrolled
  const first = Math.min(count - 1, layout.rowAt(topPx) + (topPx > 0 ? 1 : 0));
  const reachable = active.value >= range.first && active.value < range.end ? active.value : first;
  useEffect(() => list.want(range.end + MARGIN_ROWS), [list, range.end]);
  const columns = shownColumns.value;
  const widths = layoutWidths(columns, framePx - SELECT_PX - TOOLS_PX);
  const widthPx = cards ? framePx : [...widths.values()].reduce((sum, px) => sum + px, SELECT_PX + TOOLS_PX);
  return (
    <>
      <VirtualTable
        frame={table.frame}
        label={words.table}
        role="grid"
        className={cards ? "board-table board-table--cards" : "board-table"}
        rowCount={count + 1}
        columnCount={columns.length + 2}
        widthPx={widthPx}
        heightPx={layout.totalPx}
        head={!cards && <Head list={list} columns={columns} widths={widths} widthPx={widthPx} />}
        testId="boards"
        onKeyDown={onKeyDown}
      >
        {Array.from({ length: range.end - range.first }, (_, offset) => {
          const row = range.first + offset;
          const board = rows[row];
          const place = { row, topPx: layout.topOf(row), widthPx, active: reachable === row };
          if (board === undefined) return <TableRow key={offset} {...place} card={cards} board={null} />;
          const properties: RowProperties = {
            board,
            columns,
            widths,
            selected: list.selected.value.has(board.id),
            onFocus: () => {
              active.value = row;
            },
            onSelect: (range) => {
              if (range) list.selectRange(anchorRow.value, row);
              else list.toggle(board.id);
              anchorRow.value = row;
            },
            onBoard: (changed) => list.apply(changed),
            onMenu: (anchor) => {
              menu.value = { board, anchor };
            },
          };
          // keyed by position: updating row elements is faster than replacing them, and the focus stays
          return <TableRow key={offset} {...place} card={cards} board={properties} />;
        })}
      </VirtualTable>
      {menu.value !== null && (
        <MenuList
          label={words.menu(menu.value.board.name)}
          anchor={menu.value.anchor}
          items={itemsOf(list, menu.value.board)}
          onClose={() => {
            menu.value = null;
          }}
        />
      )}
    </>
  );
}

const SKELETONS = 12;

function itemsOf(list: BoardList, { id }: Board): readonly MenuItem[] {
  // the board may have changed while its menu was open
  const board = list.rows.value.find((one) => one.id === id);
  return board === undefined ? [] : menuItems(board, (changed) => list.apply(changed));
}

type KeyContext = {
  readonly list: BoardList;
  readonly board: Board;
  readonly row: number;
  readonly anchorRow: { value: number };
  readonly menu: { value: OpenMenu | null };
  readonly onDelete: () => void;
};

/** Returns whether the key does something in a row; see keys.ts. */
function rowKey(event: KeyboardEvent, { list, board, row, anchorRow, menu, onDelete }: KeyContext): boolean {
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (mod && key === "a") list.selectAll();
  else if (mod || event.altKey) return false;
  else if (key === "enter") go(["boards", board.id]);
  else if (key === "o") {
    if (canOpen(board)) window.open(board.url, "_blank", "noopener");
  } else if ((key === " " && event.shiftKey) || (key === "x" && event.shiftKey)) list.selectRange(anchorRow.value, row);
  else if (key === " " || key === "x") {
    list.toggle(board.id);
    anchorRow.value = row;
  } else if (key === "m" || key === "contextmenu") {
    const element = event.target instanceof HTMLElement ? event.target : document.body;
    const { left, bottom } = element.getBoundingClientRect();
    menu.value = { board, anchor: { xPx: Math.max(0, left) + SELECT_PX, yPx: bottom } };
  } else if (key === "delete") {
    if (list.selected.peek().size === 0) list.toggle(board.id);
    onDelete();
  } else if (key === "escape" && list.selected.peek().size > 0) list.clearSelection();
  else return false;
  return true;
}

type HeadProperties = {
  readonly list: BoardList;
  readonly columns: readonly Column[];
  readonly widths: ReadonlyMap<string, number>;
  readonly widthPx: number;
};

function Head({ list, columns, widths, widthPx }: HeadProperties): JSX.Element {
  const words = spoken(area);
  const chosen = list.selectedBoards.value.length;
  const all = list.rows.value.length;
  const sorted = address.value.query.sort || "-created";
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus
    <div
      class="virtual-table__head virtual-table__headers"
      role="row"
      style={{ width: `${widthPx}px`, height: `${HEAD_PX}px` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its checkbox takes the focus */}
      <div class="virtual-table__header board-table__select" role="columnheader" style={{ width: `${SELECT_PX}px` }}>
        <Checkbox
          label={words.selectAll}
          title={words.selectAll}
          bare
          checked={chosen > 0 && chosen === all}
          indeterminate={chosen > 0 && chosen < all}
          testId="select-all"
          onChange={(select) => (select ? list.selectAll() : list.clearSelection())}
        />
      </div>
      {columns.map((column) => (
        <ColumnHead key={column.id} column={column} widthPx={widths.get(column.id) ?? column.widthPx} sorted={sorted} />
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: it has no function */}
      <div class="virtual-table__header board-table__tools-head" role="columnheader" style={{ width: `${TOOLS_PX}px` }}>
        <span class="aside-text">{words.open}</span>
      </div>
    </div>
  );
}

type ColumnHeadProperties = { readonly column: Column; readonly widthPx: number; readonly sorted: string };

function ColumnHead({ column, widthPx, sorted }: ColumnHeadProperties): JSX.Element {
  const words = spoken(area);
  const { id, sort, down = false } = column;
  const title = words.column[id];
  const current = sorted.replace("-", "") === sort;
  const descending = sorted.startsWith("-");
  return (
    <TableHeader
      column={id}
      title={title}
      among={[]}
      hint={sort === null ? words.noSort(title) : words.sortBy(title)}
      className={sort === null ? "board-table__unsorted" : ""}
      widthPx={widthPx}
      held={false}
      right={false}
      sort={current ? { down: descending, place: null } : null}
      filtered={false}
      dragType={null}
      onSort={() => {
        if (sort === null) return;
        const next = current ? !descending : down;
        changeQuery({ sort: `${next ? "-" : ""}${sort}` });
      }}
      onShift={() => {}}
      onDrop={() => {}}
      onResize={(px) => resizeColumn(id, px)}
      resizeLabel={words.width(title)}
      menu={null}
      filter={() => null}
      data={{ "data-column": id }}
    />
  );
}
