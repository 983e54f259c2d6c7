// Computes which columns of the table are visible, and the offsets of pinned ones.

export const SELECT_PX = 36;

export type Layout = {
  readonly count: number;
  readonly totalPx: number;
  /** Sticky offset of the name column. */
  readonly nameLeftPx: number;
  readonly pinned: readonly { readonly column: string; readonly leftPx: number }[];
  /** Width of the columns scrolled out of the viewport at the left. */
  readonly gapPx: number;
  readonly visible: readonly string[];
};

// columns are drawn this far outside of the viewport
const MARGIN_PX = 300;

/** `columns` must start with the pinned ones. */
export function layoutOf(
  columns: readonly string[],
  pinnedCount: number,
  widthOf: (column: string) => number,
  scrollPx: number,
  widthPx: number,
): Layout {
  let at = SELECT_PX + widthOf("name");
  const pinned = columns.slice(0, pinnedCount).map((column) => {
    const leftPx = at;
    at += widthOf(column);
    return { column, leftPx };
  });
  const from = scrollPx - MARGIN_PX;
  const to = scrollPx + widthPx + MARGIN_PX;
  let gapPx = 0;
  const visible: string[] = [];
  for (const column of columns.slice(pinnedCount)) {
    const width = widthOf(column);
    if (at + width < from) gapPx += width;
    else if (at <= to) visible.push(column);
    at += width;
  }
  return { count: columns.length, totalPx: at, nameLeftPx: SELECT_PX, pinned, gapPx, visible };
}

const LEAST_NAME_PX = 240;
const USUAL_NAME_PX = 300;
/** Of the table, if there are more columns than fit. */
const NAME_SHARE = 0.36;
const MOST_NAME_SHARE = 0.6;

/** Returns the width of the names: what they need, if the other columns leave that, else a part of the table. */
export function namesPx(neededPx: number, tablePx: number, othersPx: number): number {
  const sparePx = tablePx - SELECT_PX - othersPx;
  const mostPx = Math.min(Math.max(USUAL_NAME_PX, NAME_SHARE * tablePx, sparePx), MOST_NAME_SHARE * tablePx);
  return Math.round(Math.min(Math.max(neededPx, LEAST_NAME_PX), mostPx));
}
