// Which columns of the table are in sight, and where pinned ones stick.

export const SELECT_PX = 36;

export type Layout = {
  readonly count: number;
  readonly totalPx: number;
  /** Where the column of names sticks. */
  readonly nameLeftPx: number;
  readonly pinned: readonly { readonly column: string; readonly leftPx: number }[];
  /** Width of the columns scrolled out at the left. */
  readonly gapPx: number;
  readonly visible: readonly string[];
};

// columns drawn beyond each edge
const MARGIN_PX = 300;

/** `columns` has the pinned ones first. */
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
