// Web worker that draws the points, so that a million of them do not block the page.

import { createHost } from "./host";
import type { ToPage, ToWorker } from "./messages";

type Scope = {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  readonly postMessage: (message: ToPage, transfer: Transferable[]) => void;
};

const scope = globalThis as unknown as Scope;

const handle = createHost({
  nextFrame: (callback) => {
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(callback);
    else setTimeout(callback, 16);
  },
  now: () => performance.now(),
  post: (message, transfer = []) => scope.postMessage(message, [...transfer]),
});

scope.onmessage = (event) => handle(event.data);
