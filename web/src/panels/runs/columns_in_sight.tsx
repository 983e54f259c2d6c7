// Columns of one row that are in the page.

import type { JSX } from "preact";
import type { Layout } from "./table_layout";

type CellsProperties = {
  readonly layout: Layout;
  readonly children: (column: string, leftPx: number | null) => JSX.Element;
};

/** Pinned columns, a gap for those out of sight, and the columns in sight. */
export function Cells({ layout, children }: CellsProperties): JSX.Element {
  return (
    <>
      {layout.pinned.map(({ column, leftPx }) => children(column, leftPx))}
      {layout.gapPx > 0 && <span class="runs-table__gap" style={{ width: `${layout.gapPx}px` }} />}
      {layout.visible.map((column) => children(column, null))}
    </>
  );
}
