// A list that draws only the rows in sight, so that 100,000 runs cost as much as 50. All rows have one height.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Properties<T> = {
  readonly items: readonly T[];
  readonly rowHeightPx: number;
  readonly label: string;
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ComponentChildren;
};

// rows drawn beyond each edge, so that quick scrolling shows no gaps
const MARGIN_ROWS = 10;

export function VirtualList<T>({ items, rowHeightPx, label, keyOf, children }: Properties<T>): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const topPx = useSignal(0);
  const heightPx = useSignal(0);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      heightPx.value = element.clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [heightPx]);

  const first = Math.max(0, Math.floor(topPx.value / rowHeightPx) - MARGIN_ROWS);
  const last = Math.min(items.length, Math.ceil((topPx.value + heightPx.value) / rowHeightPx) + MARGIN_ROWS);
  return (
    <div
      class="virtual-list"
      ref={frame}
      onScroll={(event) => {
        topPx.value = event.currentTarget.scrollTop;
      }}
    >
      <ul aria-label={label} style={{ height: `${items.length * rowHeightPx}px` }}>
        {items.slice(first, last).map((item, offset) => (
          <li
            key={keyOf(item)}
            aria-setsize={items.length}
            aria-posinset={first + offset + 1}
            style={{ height: `${rowHeightPx}px`, transform: `translateY(${(first + offset) * rowHeightPx}px)` }}
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}
