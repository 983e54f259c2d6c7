// The virtual table of a list. Only visible rows are rendered, and rows are requested from the hub as they come into
// sight. In narrow windows each row is a card.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { MenuList } from "../../widgets/menu";
import { TableHeader } from "../../widgets/table_header";
import { rowLayout, rowsInSight } from "../../widgets/table_rows";
import { HEAD_PX, useRowKeys, useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import { narrow } from "../narrow";
import { spoken } from "../preferences";
import { address, changeQuery, go } from "../router";
import * as area from "../texts/lists";
import type { Column, ListColumns } from "./list_columns";
import { type Anchor, type ListLook, ListRow, type RowProperties, SELECT_PX } from "./list_row";
import "./list_table.css";
import type { PageQuery, RowList, Thing } from "./row_list";

const ROW_PX = 38;
const MARGIN_ROWS = 6;
const SKELETONS = 12;

type Properties<T extends Thing> = {
  readonly list: RowList<T, PageQuery>;
  readonly look: ListLook<T>;
  /** Asks about the deletion of the selected things. */
  readonly onDelete: () => void;
};

type OpenMenu = { readonly id: string; readonly name: string; readonly anchor: Anchor };

export function ListTable<T extends Thing>({ list, look, onDelete }: Properties<T>): JSX.Element {
  const words = spoken(area);
  const cards = narrow.value;
  const rows = list.rows.value;
  const count = Math.max(rows.length, list.total.value ?? SKELETONS);
  const layout = rowLayout(count, cards ? look.cardPx : ROW_PX);
  const table = useTableFrame({ topPx: 0, leftPx: 0, widthPx: innerWidth, heightPx: innerHeight });
  const menu = useSignal<OpenMenu | null>(null);
  const anchorRow = useSignal(0);
  const { active, onKeyDown } = useRowKeys(table, layout, (event, row) => {
    const thing = rows[row];
    return thing !== undefined && rowKey(event, { list, look, thing, row, anchorRow, menu, onDelete });
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
  const columns = look.columns.shown.value;
  const edgesPx = SELECT_PX + look.toolsPx;
  const widths = look.columns.widths(framePx - edgesPx);
  const widthPx = cards ? framePx : [...widths.values()].reduce((sum, px) => sum + px, edgesPx);
  return (
    <>
      <VirtualTable
        frame={table.frame}
        label={look.label}
        role="grid"
        className={cards ? "list-table list-table--cards" : "list-table"}
        rowCount={count + 1}
        columnCount={columns.length + 2}
        widthPx={widthPx}
        heightPx={layout.totalPx}
        head={!cards && <Head list={list} look={look} columns={columns} widths={widths} widthPx={widthPx} />}
        testId={look.testId}
        onKeyDown={onKeyDown}
      >
        {Array.from({ length: range.end - range.first }, (_, offset) => {
          const row = range.first + offset;
          const thing = rows[row];
          const place = { row, topPx: layout.topOf(row), widthPx, active: reachable === row };
          if (thing === undefined) return <ListRow key={offset} {...place} card={cards} shown={null} />;
          const name = look.nameOf(thing);
          const openMenu = (anchor: Anchor): void => {
            menu.value = { id: thing.id, name, anchor };
          };
          const shown: RowProperties<T> = {
            thing,
            look,
            columns,
            widths,
            selected: list.selected.value.has(thing.id),
            onFocus: () => {
              active.value = row;
            },
            onSelect: (range) => {
              if (range) list.selectRange(anchorRow.value, row);
              else list.toggle(thing.id);
              anchorRow.value = row;
            },
            onMenu: openMenu,
            menuButton: (
              <Button
                icon="menu"
                kind="quiet"
                title={words.menu(name)}
                testId={`menu-${thing.id}`}
                onClick={(event) => openMenu(event.currentTarget as HTMLElement)}
              />
            ),
          };
          // keyed by position: updating row elements is faster than replacing them, and the focus stays
          return <ListRow key={offset} {...place} card={cards} shown={shown} />;
        })}
      </VirtualTable>
      {menu.value !== null && <RowMenu list={list} look={look} open={menu.value} menu={menu} />}
    </>
  );
}

type MenuProperties<T extends Thing> = {
  readonly list: RowList<T, PageQuery>;
  readonly look: ListLook<T>;
  readonly open: OpenMenu;
  readonly menu: Signal<OpenMenu | null>;
};

function RowMenu<T extends Thing>({ list, look, open, menu }: MenuProperties<T>): JSX.Element {
  // the thing may have changed while its menu was open
  const thing = list.rows.value.find(({ id }) => id === open.id);
  return (
    <MenuList
      label={spoken(area).menu(open.name)}
      anchor={open.anchor}
      items={thing === undefined ? [] : look.menu(thing)}
      onClose={() => {
        menu.value = null;
      }}
    />
  );
}

type KeyContext<T extends Thing> = Properties<T> & {
  readonly thing: T;
  readonly row: number;
  readonly anchorRow: Signal<number>;
  readonly menu: Signal<OpenMenu | null>;
};

/** Returns whether the key does something in a row; see keys.ts. */
function rowKey<T extends Thing>(event: KeyboardEvent, context: KeyContext<T>): boolean {
  const { list, look, thing, row, anchorRow, menu, onDelete } = context;
  const mod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (mod && key === "a") list.selectAll();
  else if (mod || event.altKey) return false;
  else if (key === "enter") go(look.path(thing));
  else if (key === "o") {
    const opened = look.address(thing);
    if (opened !== null) window.open(opened, "_blank", "noopener");
  } else if ((key === " " && event.shiftKey) || (key === "x" && event.shiftKey)) list.selectRange(anchorRow.value, row);
  else if (key === " " || key === "x") {
    list.toggle(thing.id);
    anchorRow.value = row;
  } else if (key === "m" || key === "contextmenu") {
    const element = event.target instanceof HTMLElement ? event.target : document.body;
    const { left, bottom } = element.getBoundingClientRect();
    const anchor = { xPx: Math.max(0, left) + SELECT_PX, yPx: bottom };
    menu.value = { id: thing.id, name: look.nameOf(thing), anchor };
  } else if (key === "delete") {
    if (list.selected.peek().size === 0) list.toggle(thing.id);
    onDelete();
  } else if (key === "escape" && list.selected.peek().size > 0) list.clearSelection();
  else return false;
  return true;
}

type HeadProperties<T extends Thing> = {
  readonly list: RowList<T, PageQuery>;
  readonly look: ListLook<T>;
  readonly columns: readonly Column[];
  readonly widths: ReadonlyMap<string, number>;
  readonly widthPx: number;
};

function Head<T extends Thing>({ list, look, columns, widths, widthPx }: HeadProperties<T>): JSX.Element {
  const words = spoken(area);
  const chosen = list.selectedRows.value.length;
  const all = list.rows.value.length;
  const sorted = address.value.query.sort || look.firstSort;
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
      <div class="virtual-table__header list-table__select" role="columnheader" style={{ width: `${SELECT_PX}px` }}>
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
        <ColumnHead
          key={column.id}
          columns={look.columns}
          column={column}
          title={look.columnWord(column.id)}
          widthPx={widths.get(column.id) ?? column.widthPx}
          sorted={sorted}
        />
      ))}
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: it has no function */}
      <div
        class="virtual-table__header list-table__tools-head"
        role="columnheader"
        style={{ width: `${look.toolsPx}px` }}
      >
        <span class="aside-text">{words.tools}</span>
      </div>
    </div>
  );
}

type ColumnHeadProperties = {
  readonly columns: ListColumns;
  readonly column: Column;
  readonly title: string;
  readonly widthPx: number;
  readonly sorted: string;
};

function ColumnHead({ columns, column, title, widthPx, sorted }: ColumnHeadProperties): JSX.Element {
  const words = spoken(area);
  const { id, sort, down = false } = column;
  const current = sorted.replace("-", "") === sort;
  const descending = sorted.startsWith("-");
  return (
    <TableHeader
      column={id}
      title={title}
      among={[]}
      hint={sort === null ? title : words.sortBy(title)}
      className={sort === null ? "list-table__unsorted" : ""}
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
      onResize={(px) => columns.resize(id, px)}
      resizeLabel={words.width(title)}
      menu={null}
      filter={() => null}
      data={{ "data-column": id }}
    />
  );
}
