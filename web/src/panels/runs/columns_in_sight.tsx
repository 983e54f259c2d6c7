// The rendered columns of a row.

import type { JSX } from "preact";
import type { Layout } from "./table_layout";

type CellsProperties = {
  readonly layout: Layout;
  readonly children: (column: string, leftPx: number | null) => JSX.Element;
};

/** Pinned columns, a gap for columns outside of the viewport, and the visible columns. */
export function Cells({ layout, children }: CellsProperties): JSX.Element {
  return (
    <>
      {layout.pinned.map(({ column, leftPx }) => children(column, leftPx))}
      {layout.gapPx > 0 && <span class="runs-table__gap" style={{ width: `${layout.gapPx}px` }} />}
      {layout.visible.map((column) => children(column, null))}
    </>
  );
}
