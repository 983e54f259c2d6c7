// Tooltip of the point under the pointer: its label, its other metadata cells, its image.

import type { JSX } from "preact";
import { allColumns, cellsOfRow, columnNames, labelColumn } from "../../state/projector";
import { cellText } from "../../state/projector_edits";
import * as projectorWords from "../../state/texts/projector";
import { spoken } from "../../state/view";
import { SpriteImage } from "./sprite_image";
import type { Picked } from "./stage";

const MOST_CELLS = 8;
const WIDTH_PX = 260;

type Properties = { readonly picked: Picked; readonly width: number; readonly height: number };

export function HoverTip({ picked, width, height }: Properties): JSX.Element {
  const { row, x, y } = picked;
  const words = spoken(projectorWords);
  const label = labelColumn.value;
  const others = allColumns.value.filter((name) => name !== label).slice(0, MOST_CELLS);
  const known = columnNames.value.length === 0 || cellsOfRow(row) !== undefined;
  const side = x + WIDTH_PX + 20 > width ? { right: `${width - x + 12}px` } : { left: `${x + 12}px` };
  const edge = y > height * 0.6 ? { bottom: `${height - y + 10}px` } : { top: `${y + 10}px` };
  return (
    <div class="points-tip" style={{ ...side, ...edge }} role="status" data-testid="projector-tip" data-row={row}>
      <SpriteImage row={row} sizePx={44} />
      <div class="points-tip__text">
        <strong dir="auto">{label === "" || !known ? words.row(String(row)) : nameOf(row, label)}</strong>
        {known && others.length > 0 && (
          <dl>
            {others.map((name) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd dir="auto">{cellText(row, name) ?? ""}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </div>
  );
}

/** Returns the label of a point, or its row number if the label is empty. */
export function nameOf(row: number, column: string): string {
  const words = spoken(projectorWords);
  if (column === "") return words.row(String(row));
  const text = cellText(row, column);
  if (text === undefined) return "…";
  return /\S/.test(text) ? text : `${words.unnamed} ${words.row(String(row))}`;
}
