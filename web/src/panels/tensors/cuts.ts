// The plane of a tensor that a card shows. A vector is shown as a column: a table of a million rows can be scrolled.

import type { TensorCut } from "../../state/members/tensors";
import { changeView, member } from "../../state/view";

const cuts = member("tensorsCut");

export type Cut = { readonly rowAxis: number; readonly columnAxis: number; readonly index: readonly number[] };

/** Returns the user's choice if it fits the shape of this step; otherwise the last two axes. */
export function cutFor(chosen: TensorCut | undefined, shape: readonly number[]): Cut {
  const rank = shape.length;
  const fits = (axis: number | undefined): axis is number => axis !== undefined && axis >= 0 && axis < rank;
  let columnAxis = rank < 2 ? -1 : fits(chosen?.columns) ? chosen.columns : rank - 1;
  let rowAxis = fits(chosen?.rows) ? chosen.rows : -1;
  if (rowAxis === columnAxis || rowAxis === -1) {
    rowAxis = rank - 1;
    while (rowAxis >= 0 && rowAxis === columnAxis) rowAxis--;
  }
  if (rank === 0) [rowAxis, columnAxis] = [-1, -1];
  const index = shape.map((size, axis) => {
    if (axis === rowAxis || axis === columnAxis) return 0;
    return Math.max(0, Math.min(size - 1, chosen?.index?.[axis] ?? 0));
  });
  return { rowAxis, columnAxis, index };
}

export function cutOf(cardKey: string, shape: readonly number[]): Cut {
  return cutFor(cuts.value[cardKey], shape);
}

export function changeCut(cardKey: string, { rowAxis, columnAxis, index }: Cut): void {
  changeView({ tensorsCut: { ...cuts.peek(), [cardKey]: { rows: rowAxis, columns: columnAxis, index } } });
}
