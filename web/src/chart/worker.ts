// A drawing worker: the charts of a page are distributed over a few of these.

import { createHost } from "./host";
import type { ToPage, ToWorker } from "./messages";

// the worker's own global scope; the page's types are loaded here, too
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage: (message: ToPage) => void;
};

const channel = new MessageChannel();
let waiting: (() => void) | null = null;
channel.port1.onmessage = () => {
  const callback = waiting;
  waiting = null;
  callback?.();
};

const handle = createHost({
  makeCanvas: (width, height) => new OffscreenCanvas(width, height),
  nextFrame: (callback) => {
    if (typeof requestAnimationFrame === "function") requestAnimationFrame(callback);
    else setTimeout(callback, 16);
  },
  soon: (callback) => {
    waiting = callback;
    channel.port2.postMessage(null);
  },
  post: (message) => scope.postMessage(message),
});

scope.onmessage = (event) => handle(event.data);
