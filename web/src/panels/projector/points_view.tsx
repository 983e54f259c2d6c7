// The cloud of points: two canvases that the worker draws on, and what pointer and keys do to them.

import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../base/numbers";
import type { ProjectorCamera } from "../../state/members/projector";
import { embedding, wantRows } from "../../state/projector";
import { layoutKey, layoutStatus } from "../../state/projector_layout";
import { only } from "../../state/projector_only";
import { rowSet } from "../../state/projector_rows";
import { clearSelection, neighborRows, selected, selectPoint, selectRows } from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { tell } from "../../state/toasts";
import { changeView, grouped, member, spoken, view } from "../../state/view";
import { firstCamera, moved, rotated, zoomed } from "./camera";
import { CanvasTools } from "./canvas_tools";
import { followPicture } from "./follow_picture";
import { listenTo } from "./gestures";
import { HoverTip } from "./hover_tip";
import { LegendBox } from "./legend_box";
import "./points_view.css";
import { type Picked, pointAt, pointsIn, tellStage } from "./stage";

const cameraChosen = member("projectorCamera");
const spinning = member("projectorSpin");
const labels = member("projectorLabels");

// the picture gets its last points when the hand has come to rest
const REST_MS = 140;
const SPIN_PER_MS = 0.00022;
// turning more by itself would keep a processor busy for nothing
const MOST_SPINNING = 60_000;
const ZOOM = 1.3;

const still = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

export function PointsView(): JSX.Element {
  const words = spoken(projectorWords);
  const place = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const hovered = useSignal<Picked | null>(null);
  const boxing = useSignal(false);
  const box = useSignal<readonly [number, number, number, number] | null>(null);
  // canvases are handed over for good: these belong to this view alone
  const canvases = useMemo(() => ({ points: makeCanvas(), overlay: makeCanvas() }), []);
  const status = layoutStatus.value;
  const flat = (status?.dims ?? view.value.projectorDims) < 3;
  const rows = embedding.value?.rows ?? 0;

  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    element.prepend(canvases.points, canvases.overlay);
    canvases.points.dataset.testid = "projector-canvas";
    const [points, overlay] = [canvases.points, canvases.overlay].map((one) => one.transferControlToOffscreen());
    if (points === undefined || overlay === undefined) return;
    tellStage({ type: "canvas", points, overlay }, [points, overlay]);
    const measure = (): void => {
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [width, height] = [Math.round(element.clientWidth * ratio), Math.round(element.clientHeight * ratio)];
      size.value = { width: element.clientWidth, height: element.clientHeight };
      if (width > 0 && height > 0) tellStage({ type: "size", width, height, ratio });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvases]);

  useEffect(() => followPicture(canvases.points), [canvases]);

  useEffect(
    () =>
      effect(() => {
        const marks = {
          selected: selected.value,
          neighbors: neighborRows.value,
          hovered: hovered.value?.row ?? -1,
          only: only.value,
        };
        tellStage({ type: "marks", marks });
      }),
    [hovered],
  );

  const now = useRef({ flat, rows });
  now.current = { flat, rows };

  const control = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: ProjectorCamera | null = null;
    const aspect = (): number => size.peek().width / Math.max(1, size.peek().height);
    const camera = (): ProjectorCamera => current ?? cameraChosen.peek() ?? firstCamera(now.current.flat, aspect());
    const send = (moving: boolean): void =>
      tellStage({ type: "camera", camera: camera(), flat: now.current.flat, moving });
    return {
      camera,
      send,
      /** By itself: not a choice of the reader's. */
      spun: (by: number): void => {
        current = { ...camera(), theta: camera().theta + by };
        send(true);
      },
      rest: (): void => send(false),
      reset: (): void => {
        current = null;
        changeView({ projectorCamera: null }, { apart: true });
        send(false);
      },
      go: (change: (camera: ProjectorCamera) => ProjectorCamera): void => {
        const next = change(camera());
        current = next;
        changeView({ projectorCamera: rounded(next) });
        send(true);
        clearTimeout(timer);
        timer = setTimeout(() => {
          current = null;
          send(false);
        }, REST_MS);
      },
      stop: (): void => clearTimeout(timer),
    };
  }, [size]);

  // another place chosen from outside: a link, undo, reset
  useEffect(
    () =>
      effect(() => {
        void cameraChosen.value;
        void size.value;
        control.send(false);
      }),
    [control, size, flat],
  );

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let asking = false;
    let last: readonly [number, number] | null = null;
    const look = async (): Promise<void> => {
      if (asking || last === null) return;
      asking = true;
      const [x, y] = last;
      const found = await pointAt(x, y);
      asking = false;
      if (last === null) return;
      if (found.row !== (hovered.peek()?.row ?? -1)) {
        hovered.value = found.row < 0 ? null : found;
        if (found.row >= 0) wantRows([found.row]);
      }
      if (last[0] !== x || last[1] !== y) void look();
    };
    const height = (): number => element.clientHeight;
    const pan = (dx: number, dy: number): void => control.go((one) => moved(one, dx, dy, height(), now.current.flat));
    const stop = listenTo(
      element,
      {
        turn: (dx, dy) => (now.current.flat ? pan(dx, dy) : control.go((one) => rotated(one, dx, dy, height()))),
        move: pan,
        zoom: (factor, x, y) =>
          control.go((one) =>
            zoomed(one, factor, now.current.flat, x - element.clientWidth / 2, y - height() / 2, height()),
          ),
        reset: control.reset,
        click: async (x, y, add) => {
          const { row } = await pointAt(x, y);
          if (row < 0) {
            if (!add) clearSelection();
          } else if (add) addPoint(row);
          else selectPoint(row);
        },
        hover: (x, y) => {
          last = [x, y];
          void look();
        },
        leave: () => {
          last = null;
          hovered.value = null;
        },
        box: (dragged, done) => {
          box.value = done ? null : dragged;
          if (!done || dragged === null) return;
          boxing.value = false;
          void pointsIn(dragged).then((inside) => {
            if (inside.length === 0) return;
            if (!selectRows(inside)) tell(spoken(projectorWords).notInLink);
          });
        },
        clear: () => clearSelection(),
        hold: (held) => {
          if (!held) return;
          element.focus({ preventScroll: true });
          last = null;
          hovered.value = null;
        },
      },
      () => boxing.peek(),
    );
    return () => {
      stop();
      control.stop();
    };
  }, [control, hovered, box, boxing]);

  // it turns until it is touched, so that one sees that it has depth
  const over = useSignal(false);
  const spins =
    spinning.value &&
    !flat &&
    !over.value &&
    !labels.value &&
    cameraChosen.value === null &&
    still?.matches !== true &&
    rows > 0 &&
    (only.value?.length ?? rows) <= MOST_SPINNING &&
    selected.value.length === 0 &&
    status !== null;
  useEffect(() => {
    if (!spins) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function turn(at: number) {
      control.spun(SPIN_PER_MS * Math.min(100, Math.max(0, at - before)));
      before = at;
      frame = requestAnimationFrame(turn);
    });
    return () => {
      cancelAnimationFrame(frame);
      control.rest();
    };
  }, [spins, control]);

  const method = words.methods[view.value.projectorMethod];
  const label = words.canvas(words.points(formatCount(rows)), method);
  const shown = box.value;
  return (
    <div
      ref={place}
      class={`points-view${boxing.value ? " points-view--boxing" : ""}${hovered.value !== null ? " points-view--over" : ""}`}
      role="application"
      aria-label={label}
      aria-description={flat ? words.flatHint : words.canvasHint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      data-arrows
      data-testid="projector-view"
      data-flat={flat}
      onPointerEnter={() => {
        over.value = true;
      }}
      onPointerLeave={() => {
        over.value = false;
      }}
    >
      {shown !== null && (
        <div
          class="points-view__box"
          style={{
            left: `${Math.min(shown[0], shown[2])}px`,
            top: `${Math.min(shown[1], shown[3])}px`,
            width: `${Math.abs(shown[2] - shown[0])}px`,
            height: `${Math.abs(shown[3] - shown[1])}px`,
          }}
        />
      )}
      {hovered.value !== null && (
        <HoverTip picked={hovered.value} width={size.value.width} height={size.value.height} />
      )}
      <CanvasTools
        boxing={boxing}
        onZoom={(nearer) => control.go((one) => zoomed(one, nearer ? 1 / ZOOM : ZOOM, flat))}
        onReset={control.reset}
        hint={flat ? words.flatHint : words.canvasHint}
      />
      <LegendBox />
      <Counts />
      {layoutKey.value === "" && (
        <p class="points-view__empty">{only.value?.length === 0 ? words.noneShown : words.axesEmpty}</p>
      )}
    </div>
  );
}

/** How many points there are, and how many are shown. */
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

/** As many digits as a picture shows. */
function rounded(camera: ProjectorCamera): ProjectorCamera {
  const short = (value: number): number => Number(value.toFixed(4));
  const { theta, phi, x, y, z, distance } = camera;
  return { theta: short(theta), phi: short(phi), x: short(x), y: short(y), z: short(z), distance: short(distance) };
}
