// A mesh on a canvas, moved with pointer and keys. It is drawn only after changes, at most once a frame.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatCount } from "../../base/numbers";
import { chartColors } from "../../cards/chart_colors";
import { listenTo } from "../../chart/gesture_listener";
import type { MeshCamera } from "../../state/members/shared";
import * as meshWords from "../../state/texts/mesh";
import { member, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { useObservedSize } from "../../widgets/observed_size";
import { cameraOf, moveCamera, resetCamera, type Seen } from "./cameras";
import { type Drawing, type Look, lensOf } from "./drawing";
import { gesturesOf, type Moves } from "./gestures";
import { moved, radiusOf, rotated, zoomed } from "./orbit";
import { draw, stageKind } from "./stage";
import type { Shown } from "./use_mesh";

const meshUp = member("meshUp");
const pointSize = member("meshPointSize");
const grid = member("meshGrid");
const wires = member("meshWires");

type Properties = {
  readonly cardKey: string;
  readonly name: string;
  readonly shown: Shown;
  readonly full: boolean;
  /** Receives a function that makes an image to download; null when the view is removed. */
  readonly onPicture: (picture: (() => Promise<Blob | null>) | null) => void;
};

// all points are drawn when the camera has not moved for this long
const REST_MS = 160;
const ZOOM = 1.25;

/** What is on display, as of the last render; the camera is updated by each move since. */
type Now = { readonly seen: Seen; readonly camera: MeshCamera; readonly drawing: Drawing };

export function MeshView({ cardKey, name, shown, full, onPicture }: Properties): JSX.Element {
  const words = spoken(meshWords);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ widthPx: 0, heightPx: 0 });
  const moving = useSignal(false);
  const focused = useSignal(false);
  const latest = nowOf(cardKey, shown, size.value, moving.value);
  const now = useRef(latest);
  now.current = latest;
  const { camera } = latest;
  useObservedSize(place, ({ clientWidth, clientHeight }) => {
    size.value = { widthPx: clientWidth, heightPx: clientHeight };
  });
  usePainting(canvas, now, size.value.widthPx > 0 && size.value.heightPx > 0);
  useGestures(place, now, moving, () => full || focused.peek(), full);
  useEffect(() => {
    onPicture(() => picture(now.current.drawing));
    return () => onPicture(null);
  }, [shown]);
  const { header, face } = shown.model.data;
  const label = words.label(name, formatCount(header.vertices), face === null ? "" : formatCount(header.faces));
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a fieldset groups are fields
    <div
      ref={place}
      class={full ? "mesh-view mesh-view--full" : "mesh-view"}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      title={words.hint}
      data-arrows
      data-testid="mesh-view"
      data-camera={[camera.theta, camera.phi, camera.distance].map((part) => part.toFixed(3)).join(" ")}
      onFocus={() => {
        focused.value = true;
      }}
      onBlur={() => {
        focused.value = false;
      }}
    >
      <canvas
        ref={canvas}
        class="mesh-view__canvas"
        role="img"
        aria-label={label}
        data-step={shown.step}
        data-stage={stageKind.value ?? ""}
      />
      <Tools now={now} />
    </div>
  );
}

function Tools({ now }: { readonly now: RefObject<Now> }): JSX.Element {
  const words = spoken(meshWords);
  const zoom = (factor: number) => (): void => {
    const { seen, camera } = now.current;
    moveCamera(seen, zoomed(camera, factor, radiusOf(seen.bounds)));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons are not the mesh below them
    <div
      class="mesh-view__tools"
      onPointerDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
    >
      <Button kind="quiet" icon="plus" title={words.zoomIn} testId="mesh-nearer" onClick={zoom(1 / ZOOM)} />
      <Button kind="quiet" icon="minus" title={words.zoomOut} testId="mesh-farther" onClick={zoom(ZOOM)} />
      <Button
        kind="quiet"
        icon="reset"
        title={words.reset}
        testId="mesh-reset"
        onClick={() => resetCamera(now.current.seen.cardKey)}
      />
    </div>
  );
}

type Size = { readonly widthPx: number; readonly heightPx: number };

/** Reads signals, so the caller runs again after changes. */
function nowOf(cardKey: string, { model, of }: Shown, { widthPx, heightPx }: Size, moving: boolean): Now {
  const look = lookOf(model);
  const { lens, up } = look;
  const aspect = widthPx > 0 && heightPx > 0 ? widthPx / heightPx : 1;
  const seen: Seen = { cardKey, of, bounds: model.bounds, config: model.config, lens, up, aspect };
  const camera = cameraOf(seen);
  const ratio = typeof devicePixelRatio === "number" ? Math.min(2, devicePixelRatio) : 1;
  const drawing: Drawing = {
    model,
    camera,
    look,
    width: Math.max(1, Math.round(widthPx * ratio)),
    height: Math.max(1, Math.round(heightPx * ratio)),
    ratio,
    moving,
  };
  return { seen, camera, drawing };
}

function lookOf(model: Shown["model"]): Look {
  const colors = chartColors.value;
  return {
    lens: lensOf(model.config),
    up: meshUp.value,
    pointSize: pointSize.value,
    wires: wires.value,
    grid: grid.value,
    background: colors.background,
    foreground: colors.quiet,
    line: colors.grid,
  };
}

/** Draws in the next animation frame after a change. `sized`: the canvas has a size. */
function usePainting(canvas: RefObject<HTMLCanvasElement | null>, now: RefObject<Now>, sized: boolean): void {
  const { model, camera, look, width, height, moving } = now.current.drawing;
  const stage = stageKind.value;
  const drawnKey = JSON.stringify([camera, look, width, height, moving, stage]);
  useLayoutEffect(() => {
    if (!sized || stage === null) return;
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null) paint(canvas.current, now.current.drawing);
    });
    return () => cancelAnimationFrame(frame);
  }, [drawnKey, model]);
}

function useGestures(
  place: RefObject<HTMLDivElement | null>,
  now: RefObject<Now>,
  moving: Signal<boolean>,
  wheelAlways: () => boolean,
  full: boolean,
): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let held = false;
    const go = (change: (camera: MeshCamera) => MeshCamera): void => {
      moving.value = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        moving.value = false;
      }, REST_MS);
      const next = change(now.current.camera);
      now.current = { ...now.current, camera: next };
      moveCamera(now.current.seen, next);
    };
    const hold = (down: boolean): void => {
      held = down;
      if (down) element.focus({ preventScroll: true });
    };
    const stop = listenTo(
      element,
      gesturesOf(movesOf(element, now, go, hold), () => held || wheelAlways()),
    );
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [full]);
}

function movesOf(
  element: HTMLElement,
  now: RefObject<Now>,
  go: (change: (camera: MeshCamera) => MeshCamera) => void,
  hold: Moves["hold"],
): Moves {
  const height = (): number => element.clientHeight;
  return {
    rotate: (dx, dy) => go((one) => rotated(one, dx, dy, height())),
    move: (dx, dy) => go((one) => moved(one, dx, dy, height(), now.current.seen.lens, now.current.seen.up)),
    zoom: (factor) => go((one) => zoomed(one, factor, radiusOf(now.current.seen.bounds))),
    reset: () => resetCamera(now.current.seen.cardKey),
    hold,
  };
}

function paint(canvas: HTMLCanvasElement, drawing: Drawing): void {
  if (canvas.width !== drawing.width || canvas.height !== drawing.height) {
    canvas.width = drawing.width;
    canvas.height = drawing.height;
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const begin = performance.now();
  const drawn = draw(context, drawing);
  // read by tests and benchmarks
  canvas.dataset.drawn = String(drawn);
  canvas.dataset.frames = String(Number(canvas.dataset.frames ?? 0) + 1);
  canvas.dataset.ms = (performance.now() - begin).toFixed(1);
}

/** Image with twice the screen resolution. */
function picture(drawing: Drawing): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  const times = 2 / drawing.ratio;
  const fine = {
    ...drawing,
    width: Math.round(drawing.width * times),
    height: Math.round(drawing.height * times),
    ratio: 2,
    moving: false,
  };
  paint(canvas, fine);
  return new Promise((resolve) => canvas.toBlob(resolve));
}
