// Shared by the pictures of trials: redraws a scene when a part of it changed, and reports what was drawn.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keep, keptTrial } from "../../state/hparams";

/** Draws after each render that changed a member of the scene. */
export function useDrawnScene<Scene extends object>(
  picture: RefObject<{ readonly draw: (scene: Scene) => void } | null>,
  scene: Scene | null,
): void {
  const last = useRef<readonly unknown[]>([]);
  useEffect(() => {
    if (scene === null) return;
    const parts = Object.values(scene);
    if (parts.length === last.current.length && parts.every((part, at) => part === last.current[at])) return;
    last.current = parts;
    picture.current?.draw(scene);
  });
}

/** Reports each drawing in attributes of the canvas and as an event, for tests and benchmarks. */
export function reportDrawn(canvas: HTMLCanvasElement): (count: number, millis: number) => void {
  return (count, millis) => {
    canvas.dataset.drawn = String(count);
    canvas.dataset.millis = millis.toFixed(1);
    document.dispatchEvent(new CustomEvent("lightboard:trials-drawn", { detail: { count, millis } }));
  };
}

/** A click selects a trial for the details, a second click deselects it. */
export function toggleKept(trial: number): void {
  keep(trial === keptTrial.peek() ? -1 : trial);
}
