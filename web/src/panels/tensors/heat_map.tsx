// A plane of a tensor as a heat map; the cell under the pointer is read out.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatCount, formatNumber } from "../../base/numbers";
import { CardProblem } from "../../cards/card_frame";
import { reasonOf } from "../../state/explained";
import type { PointName, TensorPart } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { member, spoken } from "../../state/view";
import { CutChoice } from "./cut_choice";
import { cutOf } from "./cuts";
import { extentOf, gradientOf, type Range, rangeAround, shadeOf } from "./shades";
import { usePart } from "./use_part";

const ownRange = member("tensorsOwnRange");

const CELLS = 256;

type Properties = {
  readonly cardKey: string;
  readonly name: PointName;
  readonly about: TensorPart;
  readonly urgency: () => number;
};

export function HeatMap({ cardKey, name, about, urgency }: Properties): JSX.Element {
  const words = spoken(tensorsWords);
  const { shape, statistics } = about.header;
  const cut = cutOf(cardKey, shape);
  const plane = usePart(
    {
      ...name,
      row_axis: cut.rowAxis,
      column_axis: cut.columnAxis,
      index: cut.index,
      cells: CELLS,
      statistics: false,
    },
    urgency,
  );
  const shown = plane.shown.value;
  const problem = plane.problem.value;
  const whole = statistics?.min == null || statistics.max == null ? null : { lo: statistics.min, hi: statistics.max };
  return (
    <div class="tensor-map">
      <CutChoice cardKey={cardKey} shape={shape} cut={cut} />
      {problem !== null ? (
        <CardProblem title={words.failed} message={reasonOf(problem)} onRetry={plane.retry} />
      ) : shown === null || shown.cells === null ? (
        <div class="kind-card__skeleton" />
      ) : (
        <Picture part={shown} cells={shown.cells} whole={whole} />
      )}
    </div>
  );
}

type PictureProps = { readonly part: TensorPart; readonly cells: Float32Array; readonly whole: Range | null };

type Cell = { readonly row: number; readonly column: number };

function Picture({ part, cells, whole }: PictureProps): JSX.Element | null {
  const words = spoken(tensorsWords);
  const canvas = useRef<HTMLCanvasElement>(null);
  const under = useSignal<Cell | null>(null);
  const { plane } = part.header;
  const extent = ownRange.value || whole === null ? extentOf(cells) : whole;
  const range = extent === null ? { lo: 0, hi: 0 } : rangeAround(extent.lo, extent.hi);
  const [rows, columns] = [plane?.cell_rows ?? 0, plane?.cell_columns ?? 0];
  useLayoutEffect(() => {
    if (canvas.current !== null && rows > 0 && columns > 0) paint(canvas.current, cells, rows, columns, range);
  }, [cells, rows, columns, range.lo, range.hi]);
  if (plane === null) return null;
  return (
    <>
      <div class="tensor-map__place">
        <canvas
          ref={canvas}
          class="tensor-map__cells"
          role="img"
          aria-label={words.map(formatCount(plane.rows), formatCount(plane.columns))}
          data-testid="tensor-map"
          data-cells={cells.length}
          data-plane={plane.index.join()}
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect();
            const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
            const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
            under.value = row >= 0 && column >= 0 && row < rows && column < columns ? { row, column } : null;
          }}
          onPointerLeave={() => {
            under.value = null;
          }}
        />
      </div>
      <div class="tensor-map__legend">
        <span>{formatNumber(range.lo)}</span>
        <span class="tensor-map__shades" style={{ background: gradientOf(range) }} />
        <span>{formatNumber(range.hi)}</span>
        <output class="tensor-map__read" data-testid="tensor-read">
          {readOut(plane, cells, under.value)}
        </output>
      </div>
    </>
  );
}

function paint(canvas: HTMLCanvasElement, cells: Float32Array, rows: number, columns: number, range: Range): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  canvas.width = columns;
  canvas.height = rows;
  const image = context.createImageData(columns, rows);
  for (let i = 0; i < cells.length; i++) {
    const [r, g, b] = shadeOf(cells[i] ?? Number.NaN, range);
    image.data.set([r, g, b, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
}

type Plane = NonNullable<TensorPart["header"]["plane"]>;

/** Index and value of a cell; without a cell, how many elements each cell averages. */
function readOut(plane: Plane, cells: Float32Array, cell: Cell | null): string {
  const words = spoken(tensorsWords);
  const value = cell === null ? undefined : cells[cell.row * plane.cell_columns + cell.column];
  if (cell === null || value === undefined) {
    const blocked = plane.row_block > 1 || plane.column_block > 1;
    return blocked ? words.block(plane.row_block, plane.column_block) : "";
  }
  const place = (at: number, block: number, first: number, size: number): string => {
    const from = first + at * block;
    const to = Math.min(first + size, from + block) - 1;
    return from === to ? String(from) : `${from}–${to}`;
  };
  const row = place(cell.row, plane.row_block, plane.row, plane.window_rows);
  const column = place(cell.column, plane.column_block, plane.column, plane.window_columns);
  const text = Number.isFinite(value) ? formatNumber(value, 5) : `${value} (${words.notFinite})`;
  return `[${row}, ${column}] = ${text}`;
}
