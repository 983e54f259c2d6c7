// Batches the requests of many cards, when a slider makes all of them send at the same time: each request costs a
// browser milliseconds before it reaches the server.

import { ApiError, fetchCharts, fetchScalars, type ScalarsQuestion } from "../api/client";

type Waiting = {
  readonly question: ScalarsQuestion;
  readonly resolve: (frame: ArrayBuffer) => void;
  readonly reject: (error: unknown) => void;
};

// more cards than a screen shows; the rest is in a second request
const MOST = 32;

const GATHER_MS = 10;

let waiting: Waiting[] = [];

/** `hurry`: the other cards call in the same task; otherwise their timers may be some milliseconds apart. */
export function fetchTogether(question: ScalarsQuestion, hurry: boolean): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) {
      if (hurry) queueMicrotask(sendAll);
      else setTimeout(sendAll, GATHER_MS);
    }
    waiting.push({ question, resolve, reject });
  });
}

function sendAll(): void {
  const all = waiting;
  waiting = [];
  for (let at = 0; at < all.length; at += MOST) void send(all.slice(at, at + MOST));
}

async function send(some: readonly Waiting[]): Promise<void> {
  let answered = 0;
  try {
    const [only] = some;
    if (some.length === 1 && only !== undefined) {
      only.resolve(await fetchScalars(only.question));
      return;
    }
    for await (const answer of fetchCharts(some.map(({ question }) => question))) {
      const one = some[answered++];
      if (answer instanceof ApiError) one?.reject(answer);
      else one?.resolve(answer);
    }
    for (const { reject } of some.slice(answered)) reject(new Error("the answer lacks a chart"));
  } catch (error) {
    const left = some.slice(answered);
    // the batch was refused: each request is sent alone, so that one bad request fails only itself
    if (error instanceof ApiError && some.length > 1) for (const one of left) void send([one]);
    else for (const { reject } of left) reject(error);
  }
}
