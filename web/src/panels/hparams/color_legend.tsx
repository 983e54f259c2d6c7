// Legend of the colors, from the lowest value to the highest.

import type { JSX } from "preact";
import { axisFor, colorColumn, shades } from "../../state/hparams";
import { dullness } from "../../state/trials_columns";
import { columnTitle, formatNumberOf, words } from "./words";

export function ColorLegend(): JSX.Element | null {
  const column = colorColumn.value;
  if (column === null) return null;
  const axis = axisFor(column);
  const dull = dullness(column);
  if (dull !== null) {
    const value = column.numbers.find((number) => !Number.isNaN(number));
    return (
      <div class="color-legend" data-testid="color-legend">
        <bdi class="color-legend__title">{columnTitle(column)}</bdi>
        {value !== undefined && <span>{formatNumberOf(column, value)}</span>}
        <span class="color-legend__dull">{words().dull[dull]}</span>
      </div>
    );
  }
  const [lo, hi] = [axis.numberAt(0), axis.numberAt(1)];
  const stops = shades.value.filter((_, at) => at % 7 === 0);
  return (
    <div class="color-legend" data-testid="color-legend">
      <bdi class="color-legend__title">{columnTitle(column)}</bdi>
      <span>{formatNumberOf(column, lo)}</span>
      <span class="color-legend__bar" style={{ background: `linear-gradient(90deg, ${stops.join(", ")})` }} />
      <span>{formatNumberOf(column, hi)}</span>
    </div>
  );
}
