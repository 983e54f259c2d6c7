// A list that draws only the rows in sight, so that 100,000 runs cost as much as 50. Rows have one height, or each its own
// as `rowHeightPx` says.

import { useSignal } from "@preact/signals";
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./virtual_list.css";

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
  const { items, rowHeightPx, label, keyOf, children, handle, role } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const drawn = useSignal(0);
  const height = (index: number): number => {
    if (typeof rowHeightPx === "number") return rowHeightPx;
    const item = items[index];
    return item === undefined ? 0 : rowHeightPx(item);
  };
  const options = {
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: height,
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

  // heights are remembered by position: other items, other heights
  const measured = useRef(items);
  if (typeof rowHeightPx !== "number" && measured.current !== items) virtualizer.measure();
  measured.current = items;

  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => {
    handle?.({ scrollToIndex: (index, align = "auto") => virtualizer.scrollToIndex(index, { align }) });
    return () => handle?.(null);
  }, [virtualizer, handle]);

  void drawn.value;
  // rows of a table cannot be focused: then the frame is, or no key could scroll it
  const ofTable = role === "rowgroup";
  const listed = role === undefined || role === "list";
  const group = ofTable ? { role, tabIndex: 0, "aria-label": label } : {};
  const list = ofTable ? { role: "presentation" as const } : { role, "aria-label": label };
  return (
    <div class="virtual-list" ref={frame} {...group}>
      <ul {...list} style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <li
              key={keyOf(item, row.index)}
              role={listed ? undefined : "presentation"}
              aria-setsize={listed ? items.length : undefined}
              aria-posinset={listed ? row.index + 1 : undefined}
              style={{ height: `${row.size}px`, transform: `translateY(${row.start}px)` }}
            >
              {children(item, row.index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
