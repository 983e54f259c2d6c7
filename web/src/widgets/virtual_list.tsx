// A virtual list: only visible rows are rendered, so that 100,000 runs cost as much as 50. All rows have the same
// height, or `rowHeightPx` returns each height.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./virtual_list.css";
import { useVirtualRows, type VirtualRows } from "./virtual_rows";

export type ListHandle = { readonly scrollToIndex: (index: number, align?: "auto" | "start" | "center") => void };

type Properties<T> = {
  readonly items: readonly T[];
  readonly rowHeightPx: number | ((item: T) => number);
  readonly label: string;
  /** Keys by index reuse the rendered rows when the items change, which is faster than creating new rows. */
  readonly keyOf: (item: T, index: number) => string;
  readonly children: (item: T, index: number) => ComponentChildren;
  /** Receives a handle to scroll the list; null when the list is removed. */
  readonly handle?: ((handle: ListHandle | null) => void) | undefined;
  readonly role?: "list" | "listbox" | "tree" | "rowgroup" | undefined;
};

// rows rendered outside of the viewport on each side, so that fast scrolling shows no gaps
const MARGIN_ROWS = 10;

export function VirtualList<T>(properties: Properties<T>): JSX.Element {
  const { items, rowHeightPx, label, handle, role } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(frame, {
    count: items.length,
    estimateSize: (index) => heightOf(rowHeightPx, items[index]),
    overscan: MARGIN_ROWS,
  });
  // heights are cached by index: measure again when the items change
  const measured = useRef(items);
  if (typeof rowHeightPx !== "number" && measured.current !== items) rows.measure();
  measured.current = items;
  useLayoutEffect(() => {
    handle?.({ scrollToIndex: (index, align = "auto") => rows.scrollToIndex(index, { align }) });
    return () => handle?.(null);
  }, [rows, handle]);
  // rows of a table cannot be focused: the frame takes the focus, so that keys can scroll it
  const ofTable = role === "rowgroup";
  const group = ofTable ? { role, tabIndex: 0, "aria-label": label } : {};
  const list = ofTable ? { role: "presentation" as const } : { role, "aria-label": label };
  return (
    <div class="virtual-list" ref={frame} {...group}>
      <ul {...list} style={{ height: `${rows.getTotalSize()}px` }}>
        {listItems(properties, rows)}
      </ul>
    </div>
  );
}

function heightOf<T>(rowHeightPx: Properties<T>["rowHeightPx"], item: T | undefined): number {
  if (typeof rowHeightPx === "number") return rowHeightPx;
  return item === undefined ? 0 : rowHeightPx(item);
}

function listItems<T>({ items, keyOf, children, role }: Properties<T>, rows: VirtualRows): readonly JSX.Element[] {
  const listed = role === undefined || role === "list";
  return rows.getVirtualItems().flatMap(({ index, size, start }) => {
    const item = items[index];
    if (item === undefined) return [];
    return [
      <li
        key={keyOf(item, index)}
        role={listed ? undefined : "presentation"}
        aria-setsize={listed ? items.length : undefined}
        aria-posinset={listed ? index + 1 : undefined}
        style={{ height: `${size}px`, transform: `translateY(${start}px)` }}
      >
        {children(item, index)}
      </li>,
    ];
  });
}
