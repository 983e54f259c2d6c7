// Computes positions of rows in a long table, the visible range, and keyboard moves. Pure functions; virtual_table.tsx
// draws.

/** All rows have the same height; expanded rows have extra space below. */
export type RowLayout = {
  readonly count: number;
  readonly rowPx: number;
  readonly totalPx: number;
  readonly topOf: (row: number) => number;
  /** Returns the row at an offset; for offsets beyond the end, the last row. */
  readonly rowAt: (px: number) => number;
};

export function rowLayout(count: number, rowPx: number, open: readonly number[] = [], openPx = 0): RowLayout {
  const sorted = [...open].sort((a, b) => a - b);
  const topOf = (row: number): number => row * rowPx + smaller(sorted, row) * openPx;
  return {
    count,
    rowPx,
    totalPx: count * rowPx + sorted.length * openPx,
    topOf,
    rowAt: (px) => {
      let [lo, hi] = [0, Math.max(0, count - 1)];
      while (lo < hi) {
        const middle = (lo + hi + 1) >>> 1;
        if (topOf(middle) <= px) lo = middle;
        else hi = middle - 1;
      }
      return lo;
    },
  };
}

/** Returns how many of the sorted numbers are smaller than this one. */
function smaller(sorted: readonly number[], number: number): number {
  let count = 0;
  while (count < sorted.length && (sorted[count] ?? 0) < number) count++;
  return count;
}

/** `end` is exclusive. */
export type RowRange = { readonly first: number; readonly end: number };

/** Returns the visible rows plus `margin` rows on each side, so that fast scrolling shows no gaps. */
export function rowsInSight(layout: RowLayout, topPx: number, heightPx: number, margin: number): RowRange {
  return {
    first: Math.max(0, layout.rowAt(topPx) - margin),
    end: Math.min(layout.count, layout.rowAt(topPx + heightPx) + 1 + margin),
  };
}

/** Returns the row that a key moves to; null for other keys. */
export function rowAfterKey(key: string, row: number, count: number, heightPx: number, rowPx: number): number | null {
  const page = Math.max(1, Math.floor(heightPx / rowPx) - 2);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + page,
    PageUp: row - page,
    Home: 0,
    End: count - 1,
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target === undefined ? null : Math.max(0, Math.min(count - 1, target));
}

type Scrolled = { readonly topPx: number; readonly heightPx: number; readonly headPx: number };

/** Returns the scroll position that shows a row below the head; the current one if the row is visible. */
export function scrollToShow(layout: RowLayout, row: number, { topPx, heightPx, headPx }: Scrolled): number {
  const rowTop = layout.topOf(row);
  if (rowTop < topPx) return rowTop;
  return Math.max(topPx, rowTop + layout.rowPx + headPx - heightPx);
}

// ---- axes of tables with more cells than a browser can lay out

// browsers cannot lay out more; on longer axes a scroll pixel is several cells
const MOST_PX = 8_000_000;
// windows start at multiples of this, so that scrolling back hits the cache
const STRIDE = 16;

export type AxisWindow = {
  readonly allPx: number;
  readonly from: number;
  readonly count: number;
  readonly px: (place: number) => number;
};

/** Returns the range of cells to render, and a function for the offset of each cell. */
export function axisWindow(size: number, eachPx: number, scrolledPx: number, roomPx: number): AxisWindow {
  const allPx = Math.min(MOST_PX, size * eachPx);
  const fits = Math.ceil(Math.max(0, roomPx) / eachPx) + 1;
  const exact = size * eachPx <= MOST_PX;
  const share = allPx > roomPx ? Math.min(1, scrolledPx / (allPx - roomPx)) : 0;
  const first = exact ? Math.floor(scrolledPx / eachPx) : Math.round(share * Math.max(0, size - fits + 1));
  const from = Math.max(0, Math.min(size - 1, exact ? Math.floor(first / STRIDE) * STRIDE : first));
  const count = Math.max(1, Math.min(size - from, exact ? fits + 2 * STRIDE : fits));
  const px = (place: number): number => (exact ? place * eachPx : scrolledPx + (place - first) * eachPx);
  return { allPx, from, count, px };
}
