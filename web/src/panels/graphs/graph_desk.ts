// The page's side of the worker: sends requests, receives responses.

import type { FromWorker, ToWorker } from "./graph_worker";
import type { Answers, Question } from "./model/desk";

export type GraphDesk = {
  readonly ask: <Q extends Question>(question: Q) => Promise<Answers[Q["type"]]>;
  readonly close: () => void;
};

type Waiting = { readonly resolve: (answer: never) => void; readonly reject: (error: Error) => void };

function newWorker(): Worker {
  return new Worker(new URL("./graph_worker.ts", import.meta.url), { type: "module" });
}

// started when this script loads, so that it is ready before the graph arrives
let early: Worker | null = typeof Worker === "undefined" ? null : newWorker();

export function openDesk(): GraphDesk {
  const worker = early ?? newWorker();
  early = null;
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ("answer" in data) one?.resolve(data.answer as never);
    else one?.reject(new Error(data.reason));
  };
  worker.onerror = (event) => {
    for (const one of waiting.values()) one.reject(new Error(event.message));
    waiting.clear();
  };
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const id = ++asked;
        waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
        const handOver = "frame" in question && question.frame !== null ? [question.frame] : [];
        worker.postMessage({ id, question } satisfies ToWorker, handOver);
      }),
    close: () => worker.terminate(),
  };
}
