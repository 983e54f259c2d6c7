// The drawing worker as the page knows it: one for as long as the page of the projector has been seen once.

import { signal } from "@preact/signals";
import type { ToPage, ToWorker } from "./messages";

export type Drawn = Extract<ToPage, { type: "drawn" }>;
export type Picked = { readonly row: number; readonly x: number; readonly y: number };

/** The newest picture; null before the first. */
export const drawn = signal<Drawn | null>(null);
/** Rows whose labels are to be told. */
export const wanted = signal<readonly number[]>([]);

let worker: Worker | null = null;
let lastId = 0;
const answers = new Map<number, (message: ToPage) => void>();

function start(): Worker {
  if (worker !== null) return worker;
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<ToPage>) => {
    if (data.type === "drawn") drawn.value = data;
    else if (data.type === "wanted") wanted.value = data.rows;
    else {
      answers.get(data.id)?.(data);
      answers.delete(data.id);
    }
  };
  return worker;
}

export function tellStage(message: ToWorker, transfer: readonly Transferable[] = []): void {
  start().postMessage(message, [...transfer]);
}

type Asked = Extract<ToWorker, { readonly id: number }>;
type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

function ask(question: Unnumbered<Asked>): Promise<ToPage> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    answers.set(id, resolve);
    tellStage({ ...question, id } as Asked);
  });
}

/** The point at a place of the canvas, in CSS pixels; row -1 where there is none. */
export async function pointAt(x: number, y: number): Promise<Picked> {
  const answer = await ask({ type: "pick", x, y });
  return answer.type === "picked" ? answer : { row: -1, x, y };
}

export async function pointsIn(box: readonly [number, number, number, number]): Promise<Uint32Array> {
  const answer = await ask({ type: "box", box });
  return answer.type === "boxed" ? answer.rows : new Uint32Array();
}

export async function takePicture(): Promise<Blob | null> {
  const answer = await ask({ type: "picture" });
  return answer.type === "picture" ? answer.blob : null;
}

/** The page is left: points take room for nothing. */
export function clearStage(): void {
  drawn.value = null;
  if (worker !== null) tellStage({ type: "clear" });
}
