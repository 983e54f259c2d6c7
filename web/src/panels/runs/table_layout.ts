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
