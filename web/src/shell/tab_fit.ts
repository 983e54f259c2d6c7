// Which tabs fit into the top bar.

type Space = {
  /** Widths of the tabs of the row, in order. */
  readonly tabsPx: readonly number[];
  /** Width of the menu that has the other tabs. */
  readonly menuPx: number;
  /** Width of the widest tab of all: the current page is shown after the row if its tab is in the menu. */
  readonly widestPx: number;
  readonly roomPx: number;
};

/** Returns how many tabs of the row fit. It does not depend on the current page, so no tab leaves when another page is opened. */
export function fittingTabs({ tabsPx, menuPx, widestPx, roomPx }: Space): number {
  let leftPx = roomPx - menuPx - widestPx;
  let count = 0;
  for (const px of tabsPx) {
    if (px > leftPx) break;
    leftPx -= px;
    count += 1;
  }
  return count;
}
