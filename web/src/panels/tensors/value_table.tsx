// The elements of a plane with all their digits, those in sight only: a window is asked for as the reader scrolls.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import type { PointName } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { spoken } from "../../state/view";
import { CutChoice } from "./cut_choice";
import type { Cut } from "./cuts";
import { messageOf } from "./tensor_card";
import { usePart } from "./use_part";

const ROW_PX = 22;
// as many digits as numbers of the type have
const COLUMN_PX: Readonly<Record<string, number>> = {
  float64: 164,
  complex64: 200,
  complex128: 320,
  int64: 164,
  uint64: 164,
};
const NARROW_PX = 104;
const HEAD_PX = 64;
// no browser lays out more; beyond, a pixel of the scroll bar is several rows
const MOST_PX = 8_000_000;
// windows begin at multiples, so that scrolling back finds them again
const STRIDE = 16;

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
  const place = useRef<HTMLDivElement>(null);
  const seen = useSignal({ top: 0, left: 0, width: 0, height: 0 });
  const rows = cut.rowAxis < 0 ? 1 : (shape[cut.rowAxis] ?? 1);
  const columns = cut.columnAxis < 0 ? 1 : (shape[cut.columnAxis] ?? 1);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void => {
      seen.value = {
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [seen]);
  const { top, left, width, height } = seen.value;
  const columnPx = COLUMN_PX[dtype] ?? NARROW_PX;
  const down = axisOf(rows, ROW_PX, top, height - ROW_PX);
  const across = axisOf(columns, columnPx, left, width - HEAD_PX);
  const part = usePart(
    width === 0
      ? null
      : {
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
        },
    urgency,
  );
  const shown = part.shown.value;
  const problem = part.problem.value;
  const plane = shown?.header.plane;
  const cells: JSX.Element[] = [];
  for (let i = 0; shown && plane && i < shown.header.texts.length; i++) {
    const row = plane.row + i;
    const y = down.px(row);
    cells.push(
      <span key={`h${row}`} class="tensor-table__head" style={{ top: `${y + ROW_PX}px`, left: `${left}px` }}>
        {row}
      </span>,
    );
    (shown.header.texts[i] ?? []).forEach((text, k) => {
      const column = plane.column + k;
      cells.push(
        <span
          key={`${row} ${column}`}
          class="tensor-table__cell"
          title={text}
          data-cell={`${row},${column}`}
          style={{ top: `${y + ROW_PX}px`, left: `${across.px(column) + HEAD_PX}px`, width: `${columnPx}px` }}
        >
          {text}
        </span>,
      );
    });
  }
  const heads = Array.from({ length: shown && plane ? plane.window_columns : 0 }, (_, k) => {
    const column = (plane?.column ?? 0) + k;
    return (
      <span
        key={`c${column}`}
        class="tensor-table__head"
        style={{ top: `${top}px`, left: `${across.px(column) + HEAD_PX}px`, width: `${columnPx}px` }}
      >
        {column}
      </span>
    );
  });
  return (
    <div class="tensor-map">
      <CutChoice cardKey={cardKey} shape={shape} cut={cut} />
      {problem !== null ? (
        <CardProblem title={words.failed} message={messageOf(problem)} onRetry={part.retry} />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: it is scrolled by keys, and its rows are not all there
        <div
          ref={place}
          class="tensor-table"
          role="region"
          aria-label={words.table}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
          tabIndex={0}
          data-arrows
          data-testid="tensor-table"
        >
          <div
            class="tensor-table__all"
            style={{ height: `${down.allPx + ROW_PX}px`, width: `${across.allPx + HEAD_PX}px` }}
          >
            {cells}
            {heads}
            <span class="tensor-table__corner" style={{ top: `${top}px`, left: `${left}px` }} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Which places of an axis are in sight, and where they stand. */
function axisOf(size: number, eachPx: number, scrolledPx: number, roomPx: number) {
  const allPx = Math.min(MOST_PX, size * eachPx);
  const fits = Math.ceil(Math.max(0, roomPx) / eachPx) + 1;
  const exact = size * eachPx <= MOST_PX;
  const share = allPx > roomPx ? Math.min(1, scrolledPx / (allPx - roomPx)) : 0;
  const first = exact ? Math.floor(scrolledPx / eachPx) : Math.round(share * Math.max(0, size - fits + 1));
  const from = Math.max(0, Math.min(size - 1, exact ? Math.floor(first / STRIDE) * STRIDE : first));
  const count = Math.max(1, Math.min(size - from, exact ? fits + 2 * STRIDE : fits));
  const px = (place: number): number => (exact ? place * eachPx : scrolledPx + (place - first) * eachPx);
  return { allPx, from, count, px };
}
