// Computes the positions of headings and rows of cards, and which of them are in the viewport. 100,000 cards need only
// a few typed arrays; only those in the viewport become elements.

export type Heading<S> = { readonly kind: "heading"; readonly key: string; readonly of: S };
export type CardRow<S> = {
  readonly kind: "cards";
  readonly key: string;
  readonly of: S;
  /** Key of the group. */
  readonly group: string;
  /** Cards [from, to) of the block. */
  readonly from: number;
  readonly to: number;
};
export type Row<S> = Heading<S> | CardRow<S>;

export type Group<S> = {
  readonly key: string;
  readonly of: S;
  readonly headingPx: number;
  /** Number of cards below the heading; 0 if it is closed. */
  readonly cards: number;
  /** Returns the height of the row of cards [from, to); only if cards have different heights. */
  readonly rowPx?: ((from: number, to: number) => number) | undefined;
};

export type Grid = { readonly perRow: number; readonly cardWidthPx: number };

export type Layout<S> = {
  readonly rows: readonly Row<S>[];
  /** Top of each row, then the bottom of the last one. */
  readonly tops: Float64Array;
  readonly grid: Grid;
};

export const GAP_PX = 8;

// without a wish of the user: wide enough to read curves, and fewer, wider cards on large screens
const USUAL_PX = 300;
const WIDE_PX = 440;
const FEW_PER_ROW = 3;

/**
 * Puts as many cards in a row as fit at the wished width, then widens them to fill the row. A wish of 0 chooses by the
 * width of the page: 3 cards beside the run list at 1280 pixels, 4 at 1920, 5 at 2560.
 */
export function gridOf(widthPx: number, wishedPx: number, leastPx = 0): Grid {
  const fitting = (px: number): number =>
    Math.max(1, Math.floor((widthPx + GAP_PX) / (Math.max(px, leastPx) + GAP_PX)));
  const usual = Math.min(fitting(USUAL_PX), Math.max(FEW_PER_ROW, Math.round(widthPx / WIDE_PX)));
  const perRow = wishedPx === 0 ? usual : fitting(wishedPx);
  return { perRow, cardWidthPx: Math.max(0, Math.floor((widthPx - GAP_PX * (perRow - 1)) / perRow)) };
}

export function layOut<S>(groups: readonly Group<S>[], grid: Grid, cardHeightPx: number): Layout<S> {
  const rows: Row<S>[] = [];
  const heights: number[] = [];
  for (const group of groups) {
    if (group.headingPx > 0) {
      rows.push({ kind: "heading", key: `h:${group.key}`, of: group.of });
      heights.push(group.headingPx);
    }
    for (let from = 0; from < group.cards; from += grid.perRow) {
      const to = Math.min(group.cards, from + grid.perRow);
      rows.push({ kind: "cards", key: `c:${group.key}:${from}`, of: group.of, group: group.key, from, to });
      heights.push((group.rowPx?.(from, to) ?? cardHeightPx) + GAP_PX);
    }
  }
  const tops = new Float64Array(rows.length + 1);
  // without a heading above them, cards would touch the toolbar
  tops[0] = rows[0]?.kind === "cards" ? GAP_PX : 0;
  heights.forEach((height, i) => {
    tops[i + 1] = (tops[i] ?? 0) + height;
  });
  return { rows, tops, grid };
}

export function heightOf<S>({ tops }: Layout<S>): number {
  return tops[tops.length - 1] ?? 0;
}

/** Returns the index of the row at this height: the last one whose top is not below it. */
export function rowAt<S>({ tops, rows }: Layout<S>, yPx: number): number {
  let lo = 0;
  let hi = rows.length - 1;
  while (lo < hi) {
    const middle = (lo + hi + 1) >> 1;
    if ((tops[middle] ?? 0) <= yPx) lo = middle;
    else hi = middle - 1;
  }
  return Math.max(0, lo);
}

/** Returns the rows [from, to) that overlap this range. */
export function rowsIn<S>(layout: Layout<S>, topPx: number, bottomPx: number): { from: number; to: number } {
  if (layout.rows.length === 0) return { from: 0, to: 0 };
  return { from: rowAt(layout, topPx), to: Math.min(layout.rows.length, rowAt(layout, bottomPx) + 1) };
}

/** Returns the scroll offset that keeps the row at the top of the viewport in place when the layout changes. */
export function anchored<S>(before: Layout<S>, after: Layout<S>, scrollPx: number): number {
  if (scrollPx <= 0 || before.rows.length === 0) return scrollPx;
  const place = rowAt(before, scrollPx);
  const within = scrollPx - (before.tops[place] ?? 0);
  const now = new Map(after.rows.map((row, i) => [row.key, i]));
  // the row itself, or the nearest row above that still exists
  for (let i = place; i >= 0; i--) {
    const found = now.get(before.rows[i]?.key ?? "");
    if (found !== undefined) return (after.tops[found] ?? 0) + (i === place ? within : 0);
  }
  return scrollPx;
}
