// The matrix of scatter plots: each shown metric against each shown column. A box drawn in one plot brushes its trials
// in all plots; a tooltip shows the values of a dot, a click selects it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { GREY } from "../../base/color";
import { chartColors } from "../../cards/chart_colors";
import {
  anyBrush,
  axisFor,
  brushesNow,
  colorOfTrial,
  dimsHidden,
  draft,
  drawnMask,
  isInverted,
  keptTrial,
  listed,
  picked,
  point,
  pointed,
  shownColumns,
} from "../../state/hparams";
import { theme } from "../../state/theme";
import type { TrialBrush } from "../../state/trials_filter";
import { type TrialAxis, thinned } from "../../state/trials_scales";
import { changeView, member } from "../../state/view";
import { AxisHead } from "./axis_head";
import { brushOf, type Stretch, stretchesOf } from "./brushing";
import { ColorLegend } from "./color_legend";
import { reportDrawn, toggleKept, useDrawnScene } from "./drawn_scene";
import {
  type Cell,
  EDGES,
  placeOfX,
  placeOfY,
  rowsOf,
  type ScatterLayout,
  scatterLayout,
  spreadPlaces,
  xOf,
  yOf,
} from "./scatter_layout";
import { nearestDot, type ScatterPicture, type ScatterScene, scatterPicture } from "./scatter_picture";
import "./parallel_view.css";
import "./scatter_view.css";
import { TrialTip } from "./trial_tip";
import { columnTitle, tickLabel, words } from "./words";

const inverted = member("hparamsInverted");
const scales = member("hparamsScales");
const REACH_PX = 9;
const LEAST_PX = 4;

const HEADS_PX = 34;

type Room = { readonly widthPx: number; readonly heightPx: number };
type Pointer = { readonly clientX: number; readonly clientY: number };

export function ScatterView(): JSX.Element {
  const t = words();
  const columns = shownColumns.value;
  const pointer = useSignal<Pointer | null>(null);
  const rows = rowsOf(columns);
  const nothing = rows.length === 0 || columns.length === 0;
  const { frame, canvas, picture, room } = usePicture(nothing);
  const layout = useScatterLayout(columns, rows, room.value);
  useDrawnScene(picture, layout && sceneOf(layout));
  if (nothing) return <p class="parallel__note">{t.noPlots}</p>;
  const trial = pointed.value;
  const cells = layout?.cells ?? [];
  return (
    <div class="scatter" data-testid="scatter">
      <div class="scatter__scroll" ref={frame}>
        <Heads layout={layout} />
        <div
          class="scatter__plot"
          style={{ width: `${layout?.widthPx ?? 0}px`, height: `${layout?.heightPx ?? 0}px` }}
          role="img"
          aria-label={t.scatter(cells.length, picked.value.length)}
          title=""
          onPointerDown={(event) => startBox(event, (now) => placeOf(layout, canvas.current, now))}
          onPointerMove={(event) => {
            if (event.buttons !== 0) return;
            point(nearest(placeOf(layout, canvas.current, event)));
            pointer.value = { clientX: event.clientX, clientY: event.clientY };
          }}
          onPointerLeave={() => {
            point(-1);
            pointer.value = null;
          }}
        >
          <canvas ref={canvas} class="parallel__canvas" data-testid="scatter-dots" />
          <CellFrames layout={layout} />
        </div>
      </div>
      <ColorLegend />
      {pointer.value !== null && trial >= 0 && <TrialTip trial={trial} at={pointer.value} />}
    </div>
  );
}

/** Returns the picture and the size of its frame. Both are recreated when there is something to show again. */
function usePicture(nothing: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<ScatterPicture | null>(null);
  const room = useSignal<Room | null>(null);
  useLayoutEffect(() => {
    const [box, drawing] = [frame.current, canvas.current];
    if (box === null || drawing === null) return;
    const made = scatterPicture(drawing, reportDrawn(drawing));
    picture.current = made;
    const observer = new ResizeObserver(() => {
      room.value = { widthPx: box.clientWidth, heightPx: box.clientHeight };
    });
    observer.observe(box);
    return () => {
      observer.disconnect();
      made.close();
    };
  }, [nothing]);
  return { frame, canvas, picture, room };
}

type Columns = typeof shownColumns.value;

function useScatterLayout(columns: Columns, rows: Columns, room: Room | null): ScatterLayout | null {
  return useMemo(() => {
    if (room === null) return null;
    const made = new Map(columns.map((column) => [column.id, axisFor(column)]));
    const axes = (of: Columns): readonly TrialAxis[] => of.map((column) => made.get(column.id) ?? axisFor(column));
    return scatterLayout(axes(columns), axes(rows), room.widthPx, room.heightPx - HEADS_PX);
  }, [columns, scales.value, room]);
}

function sceneOf(layout: ScatterLayout): ScatterScene {
  return {
    layout,
    ratio: window.devicePixelRatio || 1,
    behind: listed.value,
    brushed: anyBrush.value,
    front: picked.value,
    shown: dimsHidden.value ? drawnMask.value : null,
    colorOf: colorOfTrial.value,
    turned: isInverted,
    turns: inverted.value,
    background: chartColors.value.background,
    grey: GREY[theme.value],
    accent: chartColors.value.accent,
  };
}

type Place = { readonly xPx: number; readonly yPx: number; readonly cell: Cell | undefined };

function placeOf(layout: ScatterLayout | null, canvas: HTMLCanvasElement | null, event: Pointer): Place {
  const box = canvas?.getBoundingClientRect();
  const [xPx, yPx] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  const cell = layout?.cells.find(
    ({ leftPx, topPx, widthPx, heightPx }) =>
      xPx >= leftPx && xPx <= leftPx + widthPx && yPx >= topPx && yPx <= topPx + heightPx,
  );
  return { xPx, yPx, cell };
}

function nearest({ xPx, yPx, cell }: Place): number {
  return cell === undefined ? -1 : nearestDot(cell, picked.value, isInverted, xPx, yPx, REACH_PX);
}

/** Dragging draws a box that brushes; a press without movement selects the trial under it. */
function startBox(event: PointerEvent, placeAt: (event: Pointer) => Place): void {
  const start = placeAt(event);
  const { cell } = start;
  const plot = event.currentTarget;
  if (cell === undefined || event.button !== 0 || !(plot instanceof HTMLElement)) return;
  event.preventDefault();
  let moved = false;
  const move = (to: PointerEvent): void => {
    const now = placeAt(to);
    if (Math.hypot(now.xPx - start.xPx, now.yPx - start.yPx) >= LEAST_PX) moved = true;
    if (moved) draft.value = boxed(cell, [start.xPx, now.xPx], [start.yPx, now.yPx]);
  };
  const end = (): void => {
    plot.removeEventListener("pointermove", move);
    if (!moved) {
      toggleKept(nearest(placeAt(event)));
      return;
    }
    const brushes = draft.peek() ?? {};
    draft.value = null;
    changeView({ hparamsBrushes: brushes });
  };
  plot.setPointerCapture(event.pointerId);
  plot.addEventListener("pointermove", move);
  plot.addEventListener("lostpointercapture", end, { once: true });
}

function Heads({ layout }: { readonly layout: ScatterLayout | null }): JSX.Element {
  return (
    <div class="scatter__heads" style={{ width: `${layout?.widthPx ?? 0}px` }}>
      {layout?.columns.map((axis, at) => (
        <AxisHead
          key={axis.column.id}
          axis={axis}
          style={{
            left: `${EDGES.leftPx + (at + 0.5) * layout.cellPx.width + at * EDGES.gapPx}px`,
            width: `${layout.cellPx.width}px`,
          }}
        />
      ))}
    </div>
  );
}

function CellFrames({ layout }: { readonly layout: ScatterLayout | null }): JSX.Element {
  const marks = [...new Set([keptTrial.value, pointed.value])].filter((one) => one >= 0);
  return (
    <svg class="parallel__axes" aria-hidden="true" focusable="false">
      {layout?.cells.map((cell) => (
        <CellFrame key={`${cell.x.column.id} ${cell.y.column.id}`} cell={cell} marks={marks} />
      ))}
      {layout !== null && <Labels layout={layout} />}
    </svg>
  );
}

/** Returns the brushes of a box on its two axes; they replace all earlier brushes. */
function boxed(
  cell: Cell,
  xs: readonly [number, number],
  ys: readonly [number, number],
): Readonly<Record<string, TrialBrush>> {
  const stretch = (ends: readonly number[]): Stretch => [Math.min(...ends), Math.max(...ends)];
  const across = brushOf(cell.x, [stretch(xs.map((px) => placeOfX(cell, px, isInverted)))]);
  const up = brushOf(cell.y, [stretch(ys.map((px) => placeOfY(cell, px, isInverted)))]);
  return {
    ...(across === null ? {} : { [cell.x.column.id]: across }),
    ...(up === null || cell.x === cell.y ? {} : { [cell.y.column.id]: up }),
  };
}

function CellFrame({ cell, marks }: { readonly cell: Cell; readonly marks: readonly number[] }): JSX.Element {
  const { leftPx, topPx, widthPx, heightPx } = cell;
  return (
    <g class="scatter-cell">
      <rect class="scatter-cell__frame" x={leftPx} y={topPx} width={widthPx} height={heightPx} rx={3} />
      <Brushed cell={cell} />
      {cell.x !== cell.y && marks.map((trial) => <Mark key={trial} cell={cell} trial={trial} />)}
    </g>
  );
}

function Brushed({ cell }: { readonly cell: Cell }): JSX.Element | null {
  const brushes = brushesNow.value;
  const [x] = stretchesOf(cell.x, brushes[cell.x.column.id]);
  const [y] = stretchesOf(cell.y, brushes[cell.y.column.id]);
  if (x === undefined && (y === undefined || cell.x === cell.y)) return null;
  const across = (x ?? [0, 1]).map((place) => xOf(cell, place, isInverted)).sort((a, b) => a - b);
  const up = (cell.x === cell.y ? [0, 1] : (y ?? [0, 1]))
    .map((place) => yOf(cell, place, isInverted))
    .sort((a, b) => a - b);
  const [left = 0, right = 0] = across;
  const [top = 0, bottom = 0] = up;
  return (
    <rect
      class="parallel-axis__brush scatter-cell__brush"
      x={left}
      y={top}
      width={Math.max(2, right - left)}
      height={Math.max(2, bottom - top)}
    />
  );
}

function Mark({ cell, trial }: { readonly cell: Cell; readonly trial: number }): JSX.Element | null {
  const [x, y] = [spreadPlaces(cell.x)[trial] ?? Number.NaN, spreadPlaces(cell.y)[trial] ?? Number.NaN];
  if (Number.isNaN(x) || Number.isNaN(y)) return null;
  return (
    <circle
      class="scatter-cell__mark"
      cx={xOf(cell, x, isInverted)}
      cy={yOf(cell, y, isInverted)}
      r={5}
      style={{ fill: colorOfTrial.value(trial) }}
    />
  );
}

/** Names of the rows; ticks of rows at the left, of columns at the bottom. */
function Labels({ layout }: { readonly layout: ScatterLayout }): JSX.Element {
  const perRow = layout.columns.length;
  const lowest = layout.cells.slice(-perRow);
  return (
    <>
      {layout.rows.map((axis, row) => {
        const cell = layout.cells[row * perRow];
        if (cell === undefined) return null;
        return (
          <g key={axis.column.id} class="scatter-labels">
            <text class="scatter-labels__row" transform={`translate(14 ${cell.topPx + cell.heightPx / 2}) rotate(-90)`}>
              {columnTitle(axis.column).slice(0, Math.floor(cell.heightPx / 7))}
            </text>
            {thinned(axis.ticks, 16 / cell.heightPx).map((tick) => (
              <text
                key={tick.place}
                class="scatter-labels__y"
                x={cell.leftPx - 6}
                y={yOf(cell, tick.place, isInverted)}
                dy="0.32em"
              >
                {tickLabel(axis, tick).slice(0, 9)}
              </text>
            ))}
          </g>
        );
      })}
      {lowest.map((cell) => (
        <g key={cell.x.column.id} class="scatter-labels">
          {thinned(cell.x.ticks, 52 / cell.widthPx).map((tick) => (
            <text
              key={tick.place}
              class="scatter-labels__x"
              text-anchor={anchorAt(xOf(cell, tick.place, isInverted), cell)}
              x={xOf(cell, tick.place, isInverted)}
              y={cell.topPx + cell.heightPx + 14}
            >
              {tickLabel(cell.x, tick).slice(0, 10)}
            </text>
          ))}
        </g>
      ))}
    </>
  );
}

const END_PX = 16;

/** Keeps labels at the ends of a plot from extending beyond it. */
function anchorAt(xPx: number, { leftPx, widthPx }: Cell): "start" | "middle" | "end" {
  if (xPx < leftPx + END_PX) return "start";
  return xPx > leftPx + widthPx - END_PX ? "end" : "middle";
}
