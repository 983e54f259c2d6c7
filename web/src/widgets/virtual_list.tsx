// A list that draws only the rows in sight, so that 100,000 runs cost as much as 50. Rows have one height, or each its own
// as `rowHeightPx` says.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./virtual_list.css";
import { useVirtualRows, type VirtualRows } from "./virtual_rows";

export type ListHandle = { readonly scrollToIndex: (index: number, align?: "auto" | "start" | "center") => void };

type Properties<T> = {
  readonly items: readonly T[];
  readonly rowHeightPx: number | ((item: T) => number);
  readonly label: string;
  /** By position, rows are drawn anew in place when the items change, which is quicker than other rows. */
  readonly keyOf: (item: T, index: number) => string;
  readonly children: (item: T, index: number) => ComponentChildren;
  /** To scroll from outside; null when the list goes. */
  readonly handle?: ((handle: ListHandle | null) => void) | undefined;
  readonly role?: "list" | "listbox" | "tree" | "rowgroup" | undefined;
};

// rows drawn beyond each edge, so that quick scrolling shows no gaps
const MARGIN_ROWS = 10;

export function VirtualList<T>(properties: Properties<T>): JSX.Element {
  const { items, rowHeightPx, label, handle, role } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(frame, {
    count: items.length,
    estimateSize: (index) => heightOf(rowHeightPx, items[index]),
    overscan: MARGIN_ROWS,
  });
  // heights are remembered by position: other items, other heights
  const measured = useRef(items);
  if (typeof rowHeightPx !== "number" && measured.current !== items) rows.measure();
  measured.current = items;
  useLayoutEffect(() => {
    handle?.({ scrollToIndex: (index, align = "auto") => rows.scrollToIndex(index, { align }) });
    return () => handle?.(null);
  }, [rows, handle]);
  // rows of a table cannot be focused: then the frame is, or no key could scroll it
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
