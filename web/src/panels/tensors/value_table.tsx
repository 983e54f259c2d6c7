// The elements of a plane with all digits. Only visible elements are requested, while the user scrolls.

import type { JSX } from "preact";
import { CardProblem } from "../../cards/card_frame";
import { reasonOf } from "../../state/explained";
import type { PointName } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { spoken } from "../../state/view";
import { type AxisWindow, axisWindow } from "../../widgets/table_rows";
import { type TableWindow, useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import { CutChoice } from "./cut_choice";
import type { Cut } from "./cuts";
import { usePart } from "./use_part";

const ROW_PX = 22;
// column width by type: space for all its digits
const COLUMN_PX: Readonly<Record<string, number>> = {
  float64: 164,
  complex64: 200,
  complex128: 320,
  int64: 164,
  uint64: 164,
};
const NARROW_PX = 104;
const HEAD_PX = 64;

type Properties = {
  readonly cardKey: string;
  readonly name: PointName;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly cut: Cut;
  readonly urgency: () => number;
};

export function ValueTable({ cardKey, name, dtype, shape, cut, urgency }: Properties): JSX.Element {
  const words = spoken(tensorsWords);
  const { frame, shown: seen } = useTableFrame();
  const places = placesOf(
    seen.value,
    COLUMN_PX[dtype] ?? NARROW_PX,
    sizeOf(shape, cut.rowAxis),
    sizeOf(shape, cut.columnAxis),
  );
  const part = usePart(seen.value.widthPx === 0 ? null : questionOf(name, cut, places), urgency);
  const problem = part.problem.value;
  return (
    <div class="tensor-map">
      <CutChoice cardKey={cardKey} shape={shape} cut={cut} />
      {problem !== null ? (
        <CardProblem title={words.failed} message={reasonOf(problem)} onRetry={part.retry} />
      ) : (
        <VirtualTable
          frame={frame}
          label={words.table}
          role="region"
          className="tensor-table"
          widthPx={places.across.allPx + HEAD_PX}
          heightPx={places.down.allPx + ROW_PX}
          testId="tensor-table"
        >
          <Elements shown={part.shown.value} places={places} />
        </VirtualTable>
      )}
    </div>
  );
}

function sizeOf(shape: readonly number[], axis: number): number {
  return axis < 0 ? 1 : (shape[axis] ?? 1);
}

type Places = {
  readonly down: AxisWindow;
  readonly across: AxisWindow;
  readonly columnPx: number;
  readonly topPx: number;
  readonly leftPx: number;
};

function placesOf(seen: TableWindow, columnPx: number, rows: number, columns: number): Places {
  const { topPx, leftPx, widthPx, heightPx } = seen;
  const down = axisWindow(rows, ROW_PX, topPx, heightPx - ROW_PX);
  const across = axisWindow(columns, columnPx, leftPx, widthPx - HEAD_PX);
  return { down, across, columnPx, topPx, leftPx };
}

function questionOf(name: PointName, cut: Cut, { down, across }: Places): Parameters<typeof usePart>[0] {
  return {
    ...name,
    row_axis: cut.rowAxis,
    column_axis: cut.columnAxis,
    index: cut.index,
    row: down.from,
    rows: down.count,
    column: across.from,
    columns: across.count,
    cells: 0,
    texts: true,
    statistics: false,
  };
}

type ElementsProperties = {
  readonly shown: ReturnType<typeof usePart>["shown"]["value"];
  readonly places: Places;
};

/** Draws the loaded window, which may differ from the visible one; row and column heads are sticky. */
function Elements({ shown, places }: ElementsProperties): JSX.Element {
  const { down, across, columnPx, topPx, leftPx } = places;
  const plane = shown?.header.plane;
  const texts = shown && plane ? shown.header.texts : [];
  const columns = Array.from({ length: plane?.window_columns ?? 0 }, (_, k) => (plane?.column ?? 0) + k);
  const placeOf = (column: number): { readonly left: string; readonly width: string } => ({
    left: `${across.px(column) + HEAD_PX}px`,
    width: `${columnPx}px`,
  });
  return (
    <>
      {texts.map((cells, i) => {
        const row = (plane?.row ?? 0) + i;
        const top = `${down.px(row) + ROW_PX}px`;
        return [
          <span key={`h${row}`} class="tensor-table__head" style={{ top, left: `${leftPx}px` }}>
            {row}
          </span>,
          ...cells.map((text, k) => {
            const column = (plane?.column ?? 0) + k;
            return (
              <span
                key={`${row} ${column}`}
                class="tensor-table__cell"
                title={text}
                data-cell={`${row},${column}`}
                style={{ top, ...placeOf(column) }}
              >
                {text}
              </span>
            );
          }),
        ];
      })}
      {columns.map((column) => (
        <span key={`c${column}`} class="tensor-table__head" style={{ top: `${topPx}px`, ...placeOf(column) }}>
          {column}
        </span>
      ))}
      <span class="tensor-table__corner" style={{ top: `${topPx}px`, left: `${leftPx}px` }} />
    </>
  );
}
