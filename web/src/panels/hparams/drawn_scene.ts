// What pictures of trials share: a scene is drawn when a part of it changed, and what is drawn is reported.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keep, keptTrial } from "../../state/hparams";

/** Draws after each rendering that changed a part of the scene. */
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

/** For tests and measurements: what is on the canvas now. */
export function reportDrawn(canvas: HTMLCanvasElement): (count: number, millis: number) => void {
  return (count, millis) => {
    canvas.dataset.drawn = String(count);
    canvas.dataset.millis = millis.toFixed(1);
    document.dispatchEvent(new CustomEvent("lightboard:trials-drawn", { detail: { count, millis } }));
  };
}

/** A click keeps a trial, a second click on it lets it go. */
export function toggleKept(trial: number): void {
  keep(trial === keptTrial.peek() ? -1 : trial);
}
