// One stream of changes for all parts of the page; opened by the first listener, closed after the last.

import { signal } from "@preact/signals";
import { type Changed, type ChangeListener, followChanges } from "./api/changes";

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
    onChanged: (changed) => each((one) => one.onChanged(changed)),
    onRemoved: (kind, id) => each((one) => one.onRemoved(kind, id)),
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

type ThingListener<K extends keyof Changed> = {
  readonly onChanged: (thing: Changed[K]) => void;
  readonly onRemoved: (id: string) => void;
  readonly onResync: () => void;
};

/** Changes of one kind of things. */
export function listenTo<K extends keyof Changed>(kind: K, listener: ThingListener<K>): () => void {
  return listen({
    onChanged: (changed) => {
      if (changed.kind === kind) listener.onChanged(changed.thing as Changed[K]);
    },
    onRemoved: (removed, id) => {
      if (removed === kind) listener.onRemoved(id);
    },
    onResync: listener.onResync,
  });
}
