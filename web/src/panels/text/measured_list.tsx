// A virtual list with rows of unknown height: only visible rows are rendered, and their heights are measured.

import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useVirtualRows, type VirtualRows } from "../../widgets/virtual_rows";
import "./measured_list.css";

type Properties = {
  readonly label: string;
  readonly count: number;
  /** A row keeps its key when its index changes. */
  readonly keyAt: (index: number) => string;
  /** Estimated height of rows that are not yet measured. */
  readonly guessPx: number;
  readonly row: (index: number) => ComponentChildren;
  /** Called after rendering with the rendered rows, visible rows first. */
  readonly onDrawn?: ((indexes: readonly number[]) => void) | undefined;
  /** Scrolls to this row when it changes; null: no row. */
  readonly goTo?: number | null | undefined;
  readonly testId?: string | undefined;
};

const MARGIN_ROWS = 4;

export function MeasuredList(properties: Properties): JSX.Element {
  const { label, count, row, onDrawn, goTo = null, testId } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useMeasuredRows(properties, frame);
  useHeldPosition(properties, frame);
  useEffect(() => {
    if (goTo === null || goTo < 0 || goTo >= count) return;
    virtualizer.scrollToIndex(goTo, { align: "start" });
  }, [goTo, virtualizer]);
  useDrawnRows(virtualizer, onDrawn);
  const rows = virtualizer.getVirtualItems();
  const top = rows[0]?.start ?? 0;
  return (
    <div
      class="measured-list"
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable
      tabIndex={0}
      role="feed"
      aria-label={label}
      data-testid={testId}
      onKeyDown={(event) => {
        if (event.target === frame.current && count > 0) jump(event, virtualizer, count);
      }}
    >
      <div class="measured-list__all" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        <div class="measured-list__drawn" style={{ transform: `translateY(${top}px)` }}>
          {rows.map(({ index, key }) => (
            <div key={key} data-index={index} ref={(element) => virtualizer.measureElement(element)}>
              {row(index)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function useMeasuredRows(properties: Properties, frame: RefObject<HTMLDivElement | null>): VirtualRows {
  const { count, keyAt, guessPx } = properties;
  const virtualizer = useVirtualRows(frame, {
    count,
    estimateSize: () => guessPx,
    getItemKey: keyAt,
    overscan: MARGIN_ROWS,
    measured: true,
  });
  // a row that is higher than estimated moves the rows below it; this is compensated only while scrolling up, because
  // setting the scroll position stops the browser's own scrolling
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _, { scrollDirection, scrollOffset }) =>
    scrollDirection !== "forward" && item.start < (scrollOffset ?? 0);
  return virtualizer;
}

/** Handles Home and End: the browser would use the estimated heights. */
function jump(event: KeyboardEvent, virtualizer: VirtualRows, count: number): void {
  if (event.key !== "Home" && event.key !== "End") return;
  event.preventDefault();
  if (event.key === "Home") virtualizer.scrollToIndex(0, { align: "start" });
  else virtualizer.scrollToIndex(count - 1, { align: "end" });
}

/** New rows above do not move the visible rows. */
function useHeldPosition({ count, keyAt, guessPx }: Properties, frame: RefObject<HTMLDivElement | null>): void {
  const before = useRef({ first: "", count: 0 });
  useLayoutEffect(() => {
    const element = frame.current;
    const old = before.current;
    const first = count > 0 ? keyAt(0) : "";
    before.current = { first, count };
    if (element === null || element.scrollTop < 1 || old.first === first || count <= old.count) return;
    const added = count - old.count;
    if (keyAt(added) === old.first) element.scrollTop += added * guessPx;
  });
}

function useDrawnRows(virtualizer: VirtualRows, onDrawn: Properties["onDrawn"]): void {
  const shown = virtualizer
    .getVirtualItems()
    .map(({ index }) => index)
    .join();
  useEffect(() => {
    const range = virtualizer.range;
    const indexes = virtualizer.getVirtualItems().map(({ index }) => index);
    const seen = (index: number): boolean => range !== null && index >= range.startIndex && index <= range.endIndex;
    onDrawn?.([...indexes.filter(seen), ...indexes.filter((index) => !seen(index))]);
  }, [shown, onDrawn, virtualizer]);
}
