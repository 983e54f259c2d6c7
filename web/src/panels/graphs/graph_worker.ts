// The web worker that holds a graph: one worker per open graph, so that graphs do not wait for each other.

import { type Answers, newDesk, type Question } from "./model/desk";

export type ToWorker = { readonly id: number; readonly question: Question };
export type FromWorker =
  | { readonly id: number; readonly answer: Answers[Question["type"]] }
  | { readonly id: number; readonly reason: string };

const desk = newDesk();

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  try {
    const answer = desk.answer(data.question);
    self.postMessage({ id: data.id, answer } satisfies FromWorker);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    self.postMessage({ id: data.id, reason } satisfies FromWorker);
  }
};
