// One stream of changes for all parts of the page; opened by the first listener, closed after the last.

import { signal } from "@preact/signals";
import { type ChangeListener, followChanges } from "../api/changes";

/** False while the connection is interrupted: what is shown may be old. */
export const live = signal(true);

const listeners = new Set<ChangeListener>();
let stop: (() => void) | null = null;

function each(then: (listener: ChangeListener) => void): void {
  for (const listener of [...listeners]) then(listener);
}

/** Returns a function that ends listening. */
export function listen(listener: ChangeListener): () => void {
  listeners.add(listener);
  stop ??= followChanges({
    onBoard: (board) => each((one) => one.onBoard(board)),
    onRemoved: (id) => each((one) => one.onRemoved(id)),
    onResync: () => each((one) => one.onResync()),
    onLive: (now) => {
      live.value = now;
    },
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
  };
}
