// The cloud of points: two canvases that the worker draws on, and their pointer and keyboard handlers.

import { computed, type Signal, signal, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../base/numbers";
import { listenTo } from "../../chart/gesture_listener";
import { embedding, wantRows } from "../../state/projector";
import { layoutKey, layoutStatus } from "../../state/projector_layout";
import { only } from "../../state/projector_only";
import { rowSet } from "../../state/projector_rows";
import { clearSelection, neighborRows, selected, selectPoint, selectRows } from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { tell } from "../../state/toasts";
import { changeView, grouped, member, spoken, view } from "../../state/view";
import { observeSize } from "../../widgets/observed_size";
import { firstCamera, moved, rotated, zoomed } from "./camera";
import { type CameraControl, cameraControl } from "./camera_control";
import { CanvasTools } from "./canvas_tools";
import { followPicture } from "./follow_picture";
import { type Box, gesturesOf, type Moves } from "./gestures";
import { HoverTip } from "./hover_tip";
import { LegendBox } from "./legend_box";
import { pointSearch } from "./point_search";
import "./points_view.css";
import { type Picked, pointAt, pointsIn, tellStage } from "./stage";

const cameraChosen = member("projectorCamera");
const spinning = member("projectorSpin");
const labels = member("projectorLabels");

const SPIN_PER_MS = 0.00022;
// the automatic rotation of more points would load the CPU too much
const MOST_SPINNING = 60_000;
const ZOOM = 1.3;

const still = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

/** State shared by the parts of the view. Created once; only its signals change. */
type Cloud = {
  /** Size in CSS pixels. */
  readonly size: Signal<{ readonly width: number; readonly height: number }>;
  readonly hovered: Signal<Picked | null>;
  /** The box tool is active: dragging selects. */
  readonly boxing: Signal<boolean>;
  /** The box being dragged. */
  readonly box: Signal<Box | null>;
  readonly control: CameraControl;
};

export function PointsView(): JSX.Element {
  const words = spoken(projectorWords);
  const place = useRef<HTMLDivElement>(null);
  const cloud = useMemo(openCloud, []);
  const { size, hovered, boxing, control } = cloud;
  const over = useSignal(false);
  const isFlat = flat.value;
  const rows = embedding.value?.rows ?? 0;
  useCanvases(place, cloud);
  useMarks(cloud);
  useCamera(cloud);
  useGestures(place, cloud);
  useSpinning(!over.value && spins.value, control);

  const method = words.methods[view.value.projectorMethod];
  const hint = isFlat ? words.flatHint : words.canvasHint;
  return (
    <div
      ref={place}
      class={`points-view${boxing.value ? " points-view--boxing" : ""}${hovered.value !== null ? " points-view--over" : ""}`}
      role="application"
      aria-label={words.canvas(words.points(formatCount(rows)), method)}
      aria-description={hint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      data-arrows
      data-testid="projector-view"
      data-flat={isFlat}
      onPointerEnter={() => {
        over.value = true;
      }}
      onPointerLeave={() => {
        over.value = false;
      }}
    >
      <DraggedBox box={cloud.box} />
      {hovered.value !== null && (
        <HoverTip picked={hovered.value} width={size.value.width} height={size.value.height} />
      )}
      <CanvasTools
        boxing={boxing}
        onZoom={(nearer) => control.go((one) => zoomed(one, nearer ? 1 / ZOOM : ZOOM, isFlat))}
        onReset={control.reset}
        hint={hint}
      />
      <LegendBox />
      <Counts />
      {layoutKey.value === "" && (
        <p class="points-view__empty">{only.value?.length === 0 ? words.noneShown : words.axesEmpty}</p>
      )}
    </div>
  );
}

const flat = computed(() => (layoutStatus.value?.dims ?? view.value.projectorDims) < 3);

/** The cloud rotates until the user touches it, to show that it is three-dimensional. */
const spins = computed(() => {
  const rows = embedding.value?.rows ?? 0;
  return (
    spinning.value &&
    !flat.value &&
    !labels.value &&
    cameraChosen.value === null &&
    still?.matches !== true &&
    rows > 0 &&
    (only.value?.length ?? rows) <= MOST_SPINNING &&
    selected.value.length === 0 &&
    layoutStatus.value !== null
  );
});

function openCloud(): Cloud {
  const size = signal({ width: 0, height: 0 });
  const aspect = (): number => size.peek().width / Math.max(1, size.peek().height);
  const control = cameraControl({
    chosen: () => cameraChosen.peek() ?? firstCamera(flat.peek(), aspect()),
    choose: (projectorCamera) =>
      projectorCamera === null ? changeView({ projectorCamera }, { apart: true }) : changeView({ projectorCamera }),
    send: (camera, moving) => tellStage({ type: "camera", camera, flat: flat.peek(), moving }),
  });
  return { size, hovered: signal(null), boxing: signal(false), box: signal(null), control };
}

/** Creates canvases for this view: their control is transferred to the worker and cannot be returned. */
function useCanvases(place: RefObject<HTMLDivElement | null>, { size }: Cloud): void {
  const canvases = useMemo(() => ({ points: makeCanvas(), overlay: makeCanvas() }), []);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    element.prepend(canvases.points, canvases.overlay);
    canvases.points.dataset.testid = "projector-canvas";
    const [points, overlay] = [canvases.points, canvases.overlay].map((one) => one.transferControlToOffscreen());
    if (points === undefined || overlay === undefined) return;
    tellStage({ type: "canvas", points, overlay }, [points, overlay]);
    return observeSize(element, () => {
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [width, height] = [Math.round(element.clientWidth * ratio), Math.round(element.clientHeight * ratio)];
      size.value = { width: element.clientWidth, height: element.clientHeight };
      if (width > 0 && height > 0) tellStage({ type: "size", width, height, ratio });
    });
  }, [canvases]);
  useEffect(() => followPicture(canvases.points), [canvases]);
}

function useMarks({ hovered }: Cloud): void {
  useSignalEffect(() => {
    const marks = {
      selected: selected.value,
      neighbors: neighborRows.value,
      hovered: hovered.value?.row ?? -1,
      only: only.value,
    };
    tellStage({ type: "marks", marks });
  });
}

/** Redraws when something else changed the camera: a link, undo, reset. */
function useCamera({ size, control }: Cloud): void {
  useSignalEffect(() => {
    void cameraChosen.value;
    void size.value;
    void flat.value;
    control.rest();
  });
}

function useGestures(place: RefObject<HTMLDivElement | null>, cloud: Cloud): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const stop = listenTo(
      element,
      gesturesOf(element, movesOf(element, cloud), () => cloud.boxing.peek()),
    );
    return () => {
      stop();
      cloud.control.stop();
    };
  }, [cloud]);
}

function movesOf(element: HTMLElement, cloud: Cloud): Moves {
  const { control, hovered } = cloud;
  const height = (): number => element.clientHeight;
  const pan = (dx: number, dy: number): void => control.go((one) => moved(one, dx, dy, height(), flat.peek()));
  const search = pointSearch(pointAt, (point) => {
    hovered.value = point;
    if (point !== null) wantRows([point.row]);
  });
  return {
    turn: (dx, dy) => (flat.peek() ? pan(dx, dy) : control.go((one) => rotated(one, dx, dy, height()))),
    move: pan,
    zoom: (factor, x, y) =>
      control.go((one) => zoomed(one, factor, flat.peek(), x - element.clientWidth / 2, y - height() / 2, height())),
    reset: control.reset,
    click: (x, y, add) => void pointAt(x, y).then(({ row }) => clickPoint(row, add)),
    hover: search.moveTo,
    leave: search.leave,
    box: (box, done) => dragBox(cloud, box, done),
    clear: () => clearSelection(),
    hold: (held) => {
      if (!held) return;
      element.focus({ preventScroll: true });
      search.leave();
    },
  };
}

/** Row -1: the click hit no point. */
function clickPoint(row: number, add: boolean): void {
  if (row < 0) {
    if (!add) clearSelection();
  } else if (add) addPoint(row);
  else selectPoint(row);
}

function dragBox({ box, boxing }: Cloud, dragged: Box | null, done: boolean): void {
  box.value = done ? null : dragged;
  if (!done || dragged === null) return;
  boxing.value = false;
  void pointsIn(dragged).then((inside) => {
    if (inside.length === 0) return;
    if (!selectRows(inside)) tell(spoken(projectorWords).notInLink);
  });
}

function useSpinning(active: boolean, control: CameraControl): void {
  useEffect(() => {
    if (!active) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function turn(at: number) {
      control.spin(SPIN_PER_MS * Math.min(100, Math.max(0, at - before)));
      before = at;
      frame = requestAnimationFrame(turn);
    });
    return () => {
      cancelAnimationFrame(frame);
      control.rest();
    };
  }, [active, control]);
}

function DraggedBox({ box }: { readonly box: Signal<Box | null> }): JSX.Element | null {
  if (box.value === null) return null;
  const [x0, y0, x1, y1] = box.value;
  return (
    <div
      class="points-view__box"
      style={{
        left: `${Math.min(x0, x1)}px`,
        top: `${Math.min(y0, y1)}px`,
        width: `${Math.abs(x1 - x0)}px`,
        height: `${Math.abs(y1 - y0)}px`,
      }}
    />
  );
}

/** Number of points, and how many are shown. */
function Counts(): JSX.Element | null {
  const words = spoken(projectorWords);
  const of = embedding.value;
  if (of === null) return null;
  const shown = only.value;
  const rows = grouped(of.rows);
  return (
    <div class="points-view__counts" data-testid="projector-counts">
      {shown === null ? words.points(rows) : words.shownOnly(grouped(shown.length), rows)}
      {" · "}
      {words.dims(grouped(of.dims))}
    </div>
  );
}

function makeCanvas(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.className = "points-view__canvas";
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

function addPoint(row: number): void {
  const before = selected.peek();
  const without = before.filter((one) => one !== row);
  selectRows(without.length < before.length ? without : rowSet(before, [row]));
}
