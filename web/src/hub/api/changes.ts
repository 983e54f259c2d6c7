// News about boards and jobs, as server-sent events. The connection is opened again after an interruption. The hub's first event
// is `resync`: what changed before must be loaded.

import { addressOf, fetchMe } from "./client";
import type { Job } from "./jobs";
import type { Board } from "./types";

/** What the stream tells of, by the name of its event. */
export type Changed = { readonly board: Board; readonly job: Job };

export type ChangeListener = {
  readonly onChanged: (changed: { readonly [K in keyof Changed]: Change<K> }[keyof Changed]) => void;
  readonly onRemoved: (kind: keyof Changed, id: string) => void;
  /** News were lost: load again. */
  readonly onResync: () => void;
};

type Change<K extends keyof Changed> = { readonly kind: K; readonly thing: Changed[K] };

type Options = ChangeListener & { readonly onLive: (live: boolean) => void };

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** A hidden page gives its connection back after this time. */
const HIDDEN_MS = 60_000;

/** Follows changes until the returned function is called. */
export function followChanges(options: Options): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = FIRST_WAIT_MS;
  let over = false;
  const data = <T>(event: Event): T => JSON.parse((event as MessageEvent<string>).data) as T;
  const close = (): void => {
    source?.close();
    source = null;
  };
  const connect = (): void => {
    if (over || source !== null) return;
    source = new EventSource(addressOf("changes"));
    source.onopen = () => {
      waitMs = FIRST_WAIT_MS;
      options.onLive(true);
    };
    source.onerror = () => {
      options.onLive(false);
      close();
      // an expired session is noticed here: the stream itself does not say why it was refused
      void fetchMe().catch(() => {});
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs);
    };
    source.addEventListener("board", (event) => options.onChanged({ kind: "board", thing: data<Board>(event) }));
    source.addEventListener("removed", (event) => options.onRemoved("board", data<{ id: string }>(event).id));
    source.addEventListener("job", (event) => options.onChanged({ kind: "job", thing: data<Job>(event) }));
    source.addEventListener("job_removed", (event) => options.onRemoved("job", data<{ id: string }>(event).id));
    source.addEventListener("resync", () => options.onResync());
  };
  const onVisible = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") connect();
    else timer = setTimeout(close, HIDDEN_MS);
  };
  connect();
  document.addEventListener("visibilitychange", onVisible);
  return () => {
    over = true;
    clearTimeout(timer);
    source?.close();
    document.removeEventListener("visibilitychange", onVisible);
  };
}
