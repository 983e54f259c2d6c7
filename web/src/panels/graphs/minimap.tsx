// A minimap of the whole graph, with a draggable frame around the visible part.

import { useSignalEffect } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useRef } from "preact/hooks";
import * as graphsWords from "../../state/texts/graphs";
import { spoken } from "../../state/view";
import { centered } from "./camera";
import { drawScene } from "./drawing";
import { shown } from "./session";
import { camera, frame, moveCamera } from "./sight";
import { unmarked } from "./use_drawing";

const WIDTH = 180;
const HEIGHT = 140;
const AFTER_MS = 60;

function scaleOf(width: number, height: number): number {
  return Math.min((WIDTH - 8) / Math.max(1, width), (HEIGHT - 8) / Math.max(1, height));
}

export function Minimap(): JSX.Element | null {
  const words = spoken(graphsWords);
  const canvas = useRef<HTMLCanvasElement>(null);
  usePainting(canvas);
  const scene = shown.value?.scene;
  if (scene === undefined || isWholeInSight(scene)) return null;
  const scale = scaleOf(scene.width, scene.height);
  const go = (event: PointerEvent): void => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined) return;
    const [sx, sy] = [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
    moveCamera((one) => centered(sx, sy, one.scale, frame.peek()));
  };
  return (
    <div
      class="graph-map"
      title={words.minimap}
      data-testid="graph-map"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        go(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) go(event);
      }}
    >
      <canvas
        ref={canvas}
        class="graph-map__canvas"
        style={{ width: `${scene.width * scale}px`, height: `${scene.height * scale}px` }}
        role="img"
        aria-label={words.minimap}
      />
      <div class="graph-map__frame" data-testid="graph-map-frame" style={frameStyle(scene, scale)} />
    </div>
  );
}

function usePainting(canvas: RefObject<HTMLCanvasElement | null>): void {
  useSignalEffect(() => {
    const what = unmarked.value;
    if (what === null) return;
    // in a separate task, after the graph was drawn
    const asked = setTimeout(() => {
      const element = canvas.current;
      const context = element?.getContext("2d");
      if (!element || !context) return;
      const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
      const { width, height } = what.scene;
      const scale = scaleOf(width, height);
      element.width = Math.round(width * scale * ratio);
      element.height = Math.round(height * scale * ratio);
      context.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
      drawScene(context, { ...what, sight: { x: 0, y: 0, w: width, h: height, scale }, hovered: -1 });
    }, AFTER_MS);
    return () => clearTimeout(asked);
  });
}

type Size = { readonly width: number; readonly height: number };

/** Returns the visible area in scene units. */
function sight(): Size & { readonly x: number; readonly y: number } {
  const { widthPx, heightPx } = frame.value;
  const { x, y, scale } = camera.value;
  return { x, y, width: widthPx / scale, height: heightPx / scale };
}

/** The minimap is hidden if the whole graph is visible. */
function isWholeInSight({ width, height }: Size): boolean {
  const seen = sight();
  return seen.width >= width * 1.02 && seen.height >= height * 1.02;
}

function frameStyle(
  { width, height }: Size,
  scale: number,
): Readonly<Record<"left" | "top" | "width" | "height", string>> {
  const seen = sight();
  const [left, top] = [Math.max(0, seen.x * scale), Math.max(0, seen.y * scale)];
  const right = Math.min(width, seen.x + seen.width) * scale;
  const bottom = Math.min(height, seen.y + seen.height) * scale;
  return {
    left: `${left + 4}px`,
    top: `${top + 4}px`,
    width: `${Math.max(4, right - left)}px`,
    height: `${Math.max(4, bottom - top)}px`,
  };
}
