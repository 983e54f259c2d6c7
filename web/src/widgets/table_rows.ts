// Where the rows of a long table are, which of them are in sight, and where keys move. Pure; virtual_table.tsx draws.

/** Rows have one height; open ones have more below them. */
export type RowLayout = {
  readonly count: number;
  readonly rowPx: number;
  readonly totalPx: number;
  readonly topOf: (row: number) => number;
  /** The row at a position; positions beyond the end are in the last row. */
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

/** How many of the sorted numbers are smaller. */
function smaller(sorted: readonly number[], number: number): number {
  let count = 0;
  while (count < sorted.length && (sorted[count] ?? 0) < number) count++;
  return count;
}

/** `end` is the first row that is not drawn. */
export type RowRange = { readonly first: number; readonly end: number };

/** Rows in sight, and `margin` more at each side, so that quick scrolling shows no gaps. */
export function rowsInSight(layout: RowLayout, topPx: number, heightPx: number, margin: number): RowRange {
  return {
    first: Math.max(0, layout.rowAt(topPx) - margin),
    end: Math.min(layout.count, layout.rowAt(topPx + heightPx) + 1 + margin),
  };
}

/** Where a key moves from a row; null for other keys. */
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

/** The scroll position at which a row is in sight below the head; the present one if it already is. */
export function scrollToShow(layout: RowLayout, row: number, { topPx, heightPx, headPx }: Scrolled): number {
  const rowTop = layout.topOf(row);
  if (rowTop < topPx) return rowTop;
  return Math.max(topPx, rowTop + layout.rowPx + headPx - heightPx);
}

// ---- axes of tables with more places than a browser can lay out

// no browser lays out more; beyond, a pixel of the scroll bar is several places
const MOST_PX = 8_000_000;
// windows begin at multiples, so that scrolling back finds them again
const STRIDE = 16;

export type AxisWindow = {
  readonly allPx: number;
  readonly from: number;
  readonly count: number;
  readonly px: (place: number) => number;
};

/** Which places of an axis are in sight, and where they are. */
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
