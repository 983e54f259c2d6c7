// Parallel coordinates: an axis per shown column, a line per trial. Users drag axes to reorder them and drag along axes
// to brush them (several intervals on several axes); a tooltip shows the values of a line, a click selects it.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { GREY } from "../../base/color";
import { chartColors } from "../../cards/chart_colors";
import { type Size, watchSize } from "../../chart/sizes";
import {
  anyBrush,
  axisFor,
  colorOfTrial,
  dimsHidden,
  drawnMask,
  isInverted,
  keep,
  keptTrial,
  listed,
  picked,
  point,
  pointed,
  shownColumns,
} from "../../state/hparams";
import { theme } from "../../state/theme";
import { member } from "../../state/view";
import { AxisHead } from "./axis_head";
import { ColorLegend } from "./color_legend";
import { reportDrawn, toggleKept, useDrawnScene } from "./drawn_scene";
import { type LinePicture, type LineScene, linePicture, nearestLine, strokeTrial } from "./line_picture";
import { ParallelAxis } from "./parallel_axis";
import { type AxisPlace, axisPlaces, linePlaces, PLOT } from "./parallel_layout";
import "./parallel_view.css";
import { TrialTip } from "./trial_tip";
import { words } from "./words";

const inverted = member("hparamsInverted");
const scales = member("hparamsScales");

type Pointer = { readonly clientX: number; readonly clientY: number };

const REACH_PX = 8;

export function ParallelView(): JSX.Element {
  const t = words();
  const columns = shownColumns.value;
  const frame = useRef<HTMLDivElement>(null);
  const above = useRef<HTMLCanvasElement>(null);
  const pointer = useSignal<Pointer | null>(null);
  const { lines, picture, size } = usePicture(frame, columns.length > 1);
  const { places, xs, ys } = usePlaces(columns, size.value);
  const scene = size.value === null ? null : sceneOf(size.value, xs, ys);
  useDrawnScene(picture, scene);
  useEffect(() => {
    if (above.current !== null && scene !== null) drawAbove(above.current, scene, [keptTrial.value, pointed.value]);
  });
  if (columns.length < 2) return <p class="parallel__note">{t.tooFewAxes}</p>;
  const nearest = (event: MouseEvent): number => {
    const box = frame.current?.querySelector(".parallel__plot")?.getBoundingClientRect();
    if (box === undefined) return -1;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return nearestLine({ xs, ys }, picked.value, x, y, REACH_PX);
  };
  const trial = pointed.value;
  return (
    <div class="parallel" ref={frame} data-testid="parallel">
      <div class="parallel__scroll">
        <div
          class="parallel__plot"
          style={{ minWidth: `${columns.length * PLOT.leastGapPx}px` }}
          role="img"
          aria-label={t.parallel(columns.length, picked.value.length)}
          {...pointing(nearest, pointer)}
        >
          <canvas ref={lines} class="parallel__canvas" data-testid="parallel-lines" />
          <canvas ref={above} class="parallel__canvas parallel__canvas--above" />
          <svg class="parallel__axes" aria-hidden="true" focusable="false">
            {places.map((place) => (
              <ParallelAxis key={place.axis.column.id} place={place} />
            ))}
          </svg>
        </div>
        <Heads places={places} />
      </div>
      <ColorLegend />
      {pointer.value !== null && trial >= 0 && <TrialTip trial={trial} at={pointer.value} />}
    </div>
  );
}

/** Returns the picture of lines and its canvas size; both are recreated when there are enough axes again. */
function usePicture(frame: RefObject<HTMLDivElement | null>, enough: boolean) {
  const lines = useRef<HTMLCanvasElement>(null);
  const picture = useRef<LinePicture | null>(null);
  const size = useSignal<Size | null>(null);
  useLayoutEffect(() => {
    const canvas = lines.current;
    if (canvas === null || frame.current === null) return;
    const made = linePicture(canvas, reportDrawn(canvas));
    picture.current = made;
    const stop = watchSize(canvas, (now) => {
      size.value = now;
    });
    return () => {
      stop();
      made.close();
    };
  }, [enough]);
  return { lines, picture, size };
}

/** Returns the positions of axes, and of lines on them. */
function usePlaces(columns: typeof shownColumns.value, size: Size | null) {
  const { widthPx = 800, heightPx = 360 } = size ?? {};
  const axes = useMemo(() => columns.map(axisFor), [columns, scales.value]);
  const places = useMemo<readonly AxisPlace[]>(
    () => axisPlaces(axes, widthPx, heightPx, isInverted),
    [axes, widthPx, heightPx, inverted.value],
  );
  const ys = useMemo(() => places.map((place) => linePlaces(place)), [places]);
  const xs = useMemo(() => places.map(({ xPx }) => xPx), [places]);
  return { places, xs, ys };
}

function sceneOf(size: Size, xs: LineScene["xs"], ys: LineScene["ys"]): LineScene {
  return {
    ...size,
    xs,
    ys,
    behind: listed.value,
    brushed: anyBrush.value,
    front: picked.value,
    shown: dimsHidden.value ? drawnMask.value : null,
    colorOf: colorOfTrial.value,
    background: chartColors.value.background,
    grey: GREY[theme.value],
  };
}

function pointing(nearest: (event: MouseEvent) => number, pointer: Signal<Pointer | null>) {
  return {
    onPointerMove: (event: PointerEvent) => {
      if (event.buttons !== 0) return;
      point(nearest(event));
      pointer.value = { clientX: event.clientX, clientY: event.clientY };
    },
    onPointerLeave: () => {
      point(-1);
      pointer.value = null;
    },
    onClick: (event: MouseEvent) => toggleKept(nearest(event)),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === "Escape") keep(-1);
    },
  };
}

function Heads({ places }: { readonly places: readonly AxisPlace[] }): JSX.Element {
  return (
    <div class="parallel__heads" style={{ minWidth: `${places.length * PLOT.leastGapPx}px` }}>
      {places.map((place, at) => (
        <AxisHead
          key={place.axis.column.id}
          axis={place.axis}
          style={{ left: `${place.xPx}px`, width: `${headWidth(places, at)}px` }}
        />
      ))}
    </div>
  );
}

function headWidth(places: readonly AxisPlace[], at: number): number {
  const gap = (places[1]?.xPx ?? 160) - (places[0]?.xPx ?? 0);
  return Math.min(at === 0 || at === places.length - 1 ? 2 * PLOT.sidePx : gap, gap) - 6;
}

/** Draws the hovered and the selected line over the others. */
function drawAbove(canvas: HTMLCanvasElement, scene: LineScene, trials: readonly number[]): void {
  const context = canvas.getContext("2d");
  const [width, height] = [Math.round(scene.widthPx * scene.ratio), Math.round(scene.heightPx * scene.ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  if (context === null) return;
  context.setTransform(scene.ratio, 0, 0, scene.ratio, 0, 0);
  context.clearRect(0, 0, scene.widthPx, scene.heightPx);
  for (const trial of new Set(trials)) {
    if (trial < 0) continue;
    context.lineJoin = "round";
    context.strokeStyle = scene.background;
    context.lineWidth = 6;
    strokeTrial(context, scene, trial);
    const color = scene.colorOf(trial);
    context.strokeStyle = color;
    context.fillStyle = color;
    context.lineWidth = 3;
    strokeTrial(context, scene, trial);
    for (const [axis, x] of scene.xs.entries()) {
      context.beginPath();
      context.arc(x, scene.ys[axis]?.[trial] ?? 0, 4, 0, 7);
      context.fill();
    }
  }
}
