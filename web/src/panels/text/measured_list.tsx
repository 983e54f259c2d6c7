// A list that draws only what is in sight, whose rows are as high as what is in them turns out to be.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useVirtualRows } from "../../widgets/virtual_rows";
import "./measured_list.css";

type Properties = {
  readonly label: string;
  readonly count: number;
  /** The same row has the same key, wherever it stands. */
  readonly keyAt: (index: number) => string;
  /** Before a row has been measured. */
  readonly guessPx: number;
  readonly row: (index: number) => ComponentChildren;
  /** Rows that are drawn now, those in sight first. Called after drawing. */
  readonly onDrawn?: ((indexes: readonly number[]) => void) | undefined;
  /** Row to scroll to, whenever it becomes another one; null for none. */
  readonly goTo?: number | null | undefined;
  readonly testId?: string | undefined;
};

const MARGIN_ROWS = 4;

export function MeasuredList(properties: Properties): JSX.Element {
  const { label, count, keyAt, guessPx, row, onDrawn, goTo = null, testId } = properties;
  const frame = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(frame, {
    count,
    estimateSize: () => guessPx,
    getItemKey: keyAt,
    overscan: MARGIN_ROWS,
    measured: true,
  });
  // rows that turn out higher push those below them away, and only on the way up is that held against: setting the scroll
  // position ends the browser's own movement
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = (item, _, { scrollDirection, scrollOffset }) =>
    scrollDirection !== "forward" && item.start < (scrollOffset ?? 0);
  // the browser would go to where the end seems to be before the rows are measured
  const jump = (event: KeyboardEvent): void => {
    if (event.target !== frame.current || (event.key !== "Home" && event.key !== "End") || count === 0) return;
    event.preventDefault();
    if (event.key === "Home") virtualizer.scrollToIndex(0, { align: "start" });
    else virtualizer.scrollToIndex(count - 1, { align: "end" });
  };

  // what comes in above does not push away what is being read
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

  useEffect(() => {
    if (goTo === null || goTo < 0 || goTo >= count) return;
    virtualizer.scrollToIndex(goTo, { align: "start" });
  }, [goTo, virtualizer]);

  const rows = virtualizer.getVirtualItems();
  const shown = rows.map(({ index }) => index).join();
  useEffect(() => {
    const range = virtualizer.range;
    const indexes = virtualizer.getVirtualItems().map(({ index }) => index);
    const seen = (index: number): boolean => range !== null && index >= range.startIndex && index <= range.endIndex;
    onDrawn?.([...indexes.filter(seen), ...indexes.filter((index) => !seen(index))]);
  }, [shown, onDrawn, virtualizer]);
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
      onKeyDown={jump}
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
