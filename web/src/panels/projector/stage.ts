// Interface of the page to the drawing worker, which starts when the projector is first opened and runs until the page
// is closed.

import { signal } from "@preact/signals";
import { bridgeTo, type Failure, workerPort } from "../../base/worker_bridge";
import type { ToPage, ToWorker } from "./messages";

export type Drawn = Extract<ToPage, { type: "drawn" }>;
export type Picked = { readonly row: number; readonly x: number; readonly y: number };

/** Facts about the newest picture; null before the first. */
export const drawn = signal<Drawn | null>(null);
/** Rows whose labels the worker needs. */
export const wanted = signal<readonly number[]>([]);

const openPort = workerPort<ToWorker, ToPage | Failure>(
  () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
);

const bridge = bridgeTo<ToWorker, ToPage>(openPort, (message) => {
  if (message.type === "drawn") drawn.value = message;
  else if (message.type === "wanted") wanted.value = message.rows;
});

export const tellStage = bridge.send;

/** Returns the point at a position on the canvas, in CSS pixels; row -1 if there is none. */
export function pointAt(x: number, y: number): Promise<Picked> {
  return bridge.ask("picked", (question) => ({ type: "pick", question, x, y }));
}

export async function pointsIn(box: readonly [number, number, number, number]): Promise<Uint32Array> {
  return (await bridge.ask("boxed", (question) => ({ type: "box", question, box }))).rows;
}

export async function takePicture(): Promise<Blob | null> {
  return (await bridge.ask("picture", (question) => ({ type: "picture", question }))).blob;
}

/** Frees the points when the user leaves the projector. */
export function clearStage(): void {
  drawn.value = null;
  if (bridge.isOpen()) bridge.send({ type: "clear" });
}
