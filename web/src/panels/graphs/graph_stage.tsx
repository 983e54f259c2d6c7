// The graph on a canvas, with drag, zoom, click and keyboard navigation. Redrawn on changes, once per animation frame.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { listenTo } from "../../chart/gesture_listener";
import * as graphsWords from "../../state/texts/graphs";
import { grouped, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { MenuList } from "../../widgets/menu";
import { useObservedSize } from "../../widgets/observed_size";
import { zoomed } from "./camera";
import { drawScene } from "./drawing";
import { gesturesOf, type Moves } from "./gestures";
import { onStageKey } from "./keys";
import { Legend } from "./legend";
import { menuOf, openMenu } from "./node_menu";
import "./graph_stage.css";
import { pick } from "./drawing";
import { Minimap } from "./minimap";
import { CAN_OPEN, OPEN } from "./model/scene";
import { arranging, choose, header, setOpen, shown, summary } from "./session";
import { camera, fitAll, frame, moveCamera, resize } from "./sight";
import { drawn, hovered } from "./use_drawing";

const ZOOM = 1.3;

export function GraphStage({ legend }: { readonly legend: boolean }): JSX.Element {
  const words = spoken(graphsWords);
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);

  useStageSize(place);
  useStagePainting(canvas);
  useEffect(() => {
    const element = place.current;
    return element === null ? undefined : listenTo(element, gesturesOf(element, MOVES));
  }, []);

  const zoomBy = (factor: number) => (): void => {
    const { widthPx, heightPx } = frame.peek();
    moveCamera((one) => zoomed(one, factor, widthPx / 2, heightPx / 2));
  };
  const name = header.value === null ? "" : header.value.name || `${header.value.run} ${header.value.tag}`;
  const label = words.label(name, grouped(summary.value?.nodes ?? 0));
  return (
    <div class="graph-stage" data-testid="graph-stage">
      {/* biome-ignore lint/a11y/useSemanticElements: what a fieldset groups are fields */}
      <div
        ref={place}
        class="graph-stage__view"
        role="group"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is walked through by keys
        tabIndex={0}
        data-arrows
        data-testid="graph-view"
        onKeyDown={onStageKey}
      >
        <canvas ref={canvas} class="graph-stage__canvas" role="img" aria-label={label} data-testid="graph-canvas" />
        <Tip />
      </div>
      {arranging.value && <Arranging />}
      <div class="graph-stage__tools">
        <Button kind="quiet" icon="plus" title={words.zoomIn} testId="graph-nearer" onClick={zoomBy(ZOOM)} />
        <Button kind="quiet" icon="minus" title={words.zoomOut} testId="graph-farther" onClick={zoomBy(1 / ZOOM)} />
        <Button kind="quiet" icon="full" title={words.fit} testId="graph-fit" onClick={fitAll} />
      </div>
      {legend && <Legend />}
      <Minimap />
      <OpenMenu />
    </div>
  );
}

function OpenMenu(): JSX.Element | null {
  const choice = openMenu.value;
  if (choice === null) return null;
  return (
    <MenuList
      label={choice.path}
      anchor={{ xPx: choice.xPx, yPx: choice.yPx }}
      items={menuOf(choice.path)}
      onClose={() => {
        openMenu.value = null;
      }}
    />
  );
}

function useStageSize(place: RefObject<HTMLDivElement | null>): void {
  useObservedSize(place, ({ clientWidth, clientHeight }) => resize({ widthPx: clientWidth, heightPx: clientHeight }));
  useLayoutEffect(
    () => () => {
      resize({ widthPx: 0, heightPx: 0 });
      openMenu.value = null;
    },
    [],
  );
}

function useStagePainting(canvas: RefObject<HTMLCanvasElement | null>): void {
  useSignalEffect(() => {
    const what = drawn.value;
    const from = camera.value;
    const { widthPx, heightPx } = frame.value;
    const over = hovered.value;
    if (widthPx === 0 || heightPx === 0) return;
    const asked = requestAnimationFrame(() => {
      const element = canvas.current;
      if (element !== null) paint(element, what, from, widthPx, heightPx, over);
    });
    return () => cancelAnimationFrame(asked);
  });
}

const MOVES: Moves = {
  move: (dx, dy) => moveCamera((one) => ({ ...one, x: one.x - dx / one.scale, y: one.y - dy / one.scale })),
  zoom: (factor, x, y) => moveCamera((one) => zoomed(one, factor, x, y)),
  hover: (x, y) => {
    hovered.value = nodeAt(x, y).box;
  },
  leave: () => {
    hovered.value = -1;
  },
  click: (x, y) => {
    const { box, path } = nodeAt(x, y);
    if (isOnRing(box, x, y)) setOpen(path, (flagsOf(box) & OPEN) === 0);
    else choose(path);
  },
  doubleClick: (x, y) => {
    const { box, path } = nodeAt(x, y);
    if ((flagsOf(box) & CAN_OPEN) !== 0) setOpen(path, (flagsOf(box) & OPEN) === 0);
  },
  menu: (x, y, xPx, yPx) => {
    const { path } = nodeAt(x, y);
    if (path === "") return false;
    choose(path);
    openMenu.value = { path, xPx, yPx };
    return true;
  },
};

/** Returns the box at a position of the view, and its path or that of its dot there; -1 and "" if there is none. */
function nodeAt(xPx: number, yPx: number): { readonly box: number; readonly path: string } {
  const now = shown.peek();
  if (now === null) return { box: -1, path: "" };
  const { scene, index } = now;
  const { x, y, scale } = camera.peek();
  const { box, dot } = pick(scene, index, x + xPx / scale, y + yPx / scale);
  return { box, path: (dot >= 0 ? scene.dotPath[dot] : scene.path[box]) ?? "" };
}

function flagsOf(box: number): number {
  return shown.peek()?.scene.flags[box] ?? 0;
}

const RING_PX = 14;
const RING_REACH_PX = 9;

/** Returns true if a position is on the plus or minus sign that opens or closes a box. */
function isOnRing(box: number, xPx: number, yPx: number): boolean {
  const scene = shown.peek()?.scene;
  if (scene === undefined || box < 0 || (flagsOf(box) & CAN_OPEN) === 0) return false;
  const { x, y, scale } = camera.peek();
  const [dx, dy] = [x + xPx / scale - (scene.x[box] ?? 0), y + yPx / scale - (scene.y[box] ?? 0)];
  const middle = (flagsOf(box) & OPEN) !== 0 ? RING_PX : (scene.h[box] ?? 0) / 2;
  return Math.abs(dx - RING_PX) < RING_REACH_PX && Math.abs(dy - middle) < RING_REACH_PX;
}

// the loading message is delayed, because most responses arrive sooner
const PATIENCE_MS = 250;

function Arranging(): JSX.Element | null {
  const late = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      late.value = true;
    }, PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [late]);
  if (!late.value) return null;
  return (
    <div class="graph-stage__busy" role="status">
      {spoken(graphsWords).arranging}
    </div>
  );
}

/** Tooltip with the full name of the node under the pointer, if it does not fit in the box. */
function Tip(): JSX.Element | null {
  const tip = useComputed(() => {
    const scene = shown.value?.scene;
    const box = hovered.value;
    if (scene === undefined || box < 0) return null;
    const { x, y, scale } = camera.value;
    const path = scene.path[box] ?? "";
    if (path === scene.label[box] && scale > 0.5) return null;
    return { path, left: ((scene.x[box] ?? 0) - x) * scale, top: ((scene.y[box] ?? 0) - y) * scale };
  });
  if (tip.value === null) return null;
  const { path, left, top } = tip.value;
  const { widthPx } = frame.value;
  return (
    <div
      class="graph-stage__tip"
      style={{ left: `${Math.max(4, Math.min(left, widthPx - 260))}px`, top: `${Math.max(4, top - 26)}px` }}
    >
      {path}
    </div>
  );
}

function paint(
  canvas: HTMLCanvasElement,
  what: typeof drawn.value,
  from: typeof camera.value,
  widthPx: number,
  heightPx: number,
  over: number,
): void {
  const ratio = Math.min(3, globalThis.devicePixelRatio || 1);
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const begin = performance.now();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  if (what === null) return;
  const scale = from.scale * ratio;
  context.setTransform(scale, 0, 0, scale, -from.x * scale, -from.y * scale);
  const sight = { x: from.x, y: from.y, w: widthPx / from.scale, h: heightPx / from.scale, scale: from.scale };
  drawScene(context, { ...what, sight, hovered: over });
  // read by tests and benchmarks
  canvas.dataset.drawn = String(Number(canvas.dataset.drawn ?? 0) + 1);
  canvas.dataset.boxes = String(what.scene.item.length);
  const { scene, chosenBox } = what;
  const px = (value: number | undefined, from = 0): string => (((value ?? 0) - from) * sight.scale).toFixed(1);
  canvas.dataset.chosen =
    chosenBox < 0
      ? ""
      : [
          scene.path[chosenBox],
          px(scene.x[chosenBox], sight.x),
          px(scene.y[chosenBox], sight.y),
          px(scene.w[chosenBox]),
          px(scene.h[chosenBox]),
        ].join("|");
  canvas.dataset.ms = (performance.now() - begin).toFixed(1);
}
