// The head of a column in a virtual table: sorts, has a menu, and can be dragged to another position or width. With the
// keyboard: Enter sorts, Alt+arrows move, arrow keys on the edge resize.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, CSSProperties, JSX } from "preact";
import { useRef } from "preact/hooks";
import { shortNames } from "../base/short_names";
import { ColumnEdge } from "./column_edge";
import { Icon } from "./icons";
import { Menu, type MenuItem } from "./menu";
import { textPx } from "./text_width";

type Properties = {
  readonly column: string;
  readonly title: string;
  /** Titles of all columns: a title that is too long is shortened among them. */
  readonly among: readonly string[];
  readonly hint: string;
  readonly className: string;
  readonly style?: CSSProperties | undefined;
  readonly widthPx: number;
  /** The column is sticky when the table scrolls sideways. */
  readonly held: boolean;
  /** Right-aligned, like the numbers of the column. */
  readonly right: boolean;
  /**
   * Null: the table is not sorted by it. `place`: position among several sort columns, from 1; null if it is the only
   * one.
   */
  readonly sort: { readonly down: boolean; readonly place: number | null } | null;
  readonly filtered: boolean;
  /** Columns can be dragged between tables with the same type; null: it cannot be moved. */
  readonly dragType: string | null;
  readonly onSort: (more: boolean) => void;
  readonly onShift: (by: -1 | 1) => void;
  /** Called when another column is dropped on this one. */
  readonly onDrop: (column: string) => void;
  readonly onResize: (widthPx: number) => void;
  readonly resizeLabel: string;
  readonly menu: { readonly label: string; readonly items: (onFilter: () => void) => readonly MenuItem[] } | null;
  /** Renders the column filter that the menu opens. */
  readonly filter: (anchor: HTMLElement, onClose: () => void) => ComponentChildren;
  readonly data?: Readonly<Record<`data-${string}`, string>> | undefined;
};

export function TableHeader(properties: Properties): JSX.Element {
  const { sort, dragType, menu, widthPx } = properties;
  const filtering = useSignal(false);
  const over = useSignal(false);
  const head = useRef<HTMLDivElement>(null);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div
        ref={head}
        class={classOf(properties, over.value)}
        role="columnheader"
        aria-sort={sort === null ? "none" : sort.down ? "descending" : "ascending"}
        {...properties.data}
        style={{ width: `${widthPx}px`, ...properties.style }}
        draggable={dragType !== null}
        {...dragging(properties, (now) => {
          over.value = now;
        })}
      >
        <SortButton {...properties} />
        {menu !== null && (
          <Menu
            label={menu.label}
            items={menu.items(() => {
              filtering.value = true;
            })}
          />
        )}
        <ColumnEdge label={properties.resizeLabel} widthPx={widthPx} onResize={properties.onResize} />
      </div>
      {/* not inside of the head: the filter would be dragged with it */}
      {filtering.value &&
        head.current !== null &&
        properties.filter(head.current, () => {
          filtering.value = false;
        })}
    </>
  );
}

function classOf({ className, held, right }: Properties, over: boolean): string {
  const base = "virtual-table__header";
  return `${base} ${className}${held ? ` ${base}--held` : ""}${right ? ` ${base}--right` : ""}${over ? ` ${base}--over` : ""}`;
}

function dragging({ column, dragType, onDrop }: Properties, setOver: (over: boolean) => void) {
  return {
    onDragStart: (event: DragEvent) => event.dataTransfer?.setData(dragType ?? "", column),
    onDragOver: (event: DragEvent) => {
      if (dragType === null || event.dataTransfer?.types.includes(dragType) !== true) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      const moved = dragType === null ? "" : (event.dataTransfer?.getData(dragType) ?? "");
      if (moved !== "") onDrop(moved);
    },
  };
}

// paddings beside a title; one more icon
const TOOLS_PX = 22;
const ICON_PX = 20;
// titles are bold
const BOLD = 1.08;

/** Returns the title as it fits into the column, different from the titles of all other columns. */
function shortTitle({ title, among, widthPx, sort, filtered }: Properties): string {
  const freePx = widthPx - TOOLS_PX - (sort === null ? 0 : ICON_PX) - (filtered ? ICON_PX : 0);
  return shortNames([title, ...among], freePx, (text) => textPx.value(text) * BOLD).get(title) ?? title;
}

function SortButton(properties: Properties): JSX.Element {
  const { hint, sort, filtered, dragType, onSort, onShift } = properties;
  return (
    <button
      type="button"
      class="virtual-table__sort"
      title={hint}
      onClick={(event) => onSort(event.shiftKey)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (!event.altKey || by === 0 || dragType === null) return;
        event.preventDefault();
        onShift(by);
      }}
    >
      <bdi class="virtual-table__heading">{shortTitle(properties)}</bdi>
      {filtered && <Icon name="filter" />}
      {sort !== null && <Icon name={sort.down ? "down" : "up"} />}
      {sort !== null && sort.place !== null && <sup>{sort.place}</sup>}
    </button>
  );
}
