// The worker that draws histograms and percentiles.

import { createSpreadHost } from "./spread_host";
import type { FromSpreadWorker, ToSpreadWorker } from "./spread_types";

// the worker's own global scope; the page's types are loaded here, too
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToSpreadWorker>) => void) | null;
  postMessage: (message: FromSpreadWorker) => void;
};

const handle = createSpreadHost({
  makeCanvas: (width, height) => new OffscreenCanvas(width, height),
  nextFrame: (callback) => {
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(callback);
    else setTimeout(callback, 16);
  },
  post: (message) => scope.postMessage(message),
});

scope.onmessage = (event) => handle(event.data);
