// One upload as its page shows it: loaded again and again, with the board that decides who may do what, and how fast it
// grows.

import { signal } from "@preact/signals";
import { fetchBoard } from "../api/boards";
import { HubError } from "../api/client";
import type { Board } from "../api/types";
import { fetchUpload, type Upload } from "../api/uploads";
import { listenTo } from "../live";

const SENDING_MS = 1000;
const QUIET_MS = 10_000;
/** Growth is computed over this time. */
const WINDOW_SECS = 8;

type Sample = { readonly secs: number; readonly bytes: number };

/** Bytes per second over the last seconds; null if nothing came. */
export function growthOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.secs - first.secs < 0.5) return null;
  return last.bytes > first.bytes ? (last.bytes - first.bytes) / (last.secs - first.secs) : null;
}

export class OneUpload {
  readonly upload = signal<Upload | null>(null);
  /** Null if it was deleted, or until it is loaded. */
  readonly board = signal<Board | null>(null);
  readonly error = signal<unknown>(null);
  readonly gone = signal(false);
  /** Bytes per second; null: it does not grow. */
  readonly growth = signal<number | null>(null);
  #samples: readonly Sample[] = [];
  #stopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly id: string) {}

  readonly apply = (upload: Upload): void => {
    const secs = performance.now() / 1000;
    const kept = this.#samples.filter((sample) => secs - sample.secs < WINDOW_SECS);
    this.#samples = [...kept, { secs, bytes: upload.bytes }];
    this.growth.value = upload.sending ? growthOf(this.#samples) : null;
    this.upload.value = upload;
  };

  async load(): Promise<void> {
    try {
      const upload = await fetchUpload(this.id);
      this.apply(upload);
      this.error.value = null;
      if (upload.url === "") this.board.value = null;
      else if (this.board.peek()?.id !== upload.board) this.board.value = await fetchBoard(upload.board);
    } catch (error) {
      const missing = error instanceof HubError && error.status === 404;
      if (missing && this.upload.peek() !== null) this.gone.value = true;
      else if (this.upload.peek() === null) this.error.value = error;
    }
  }

  /** Loads and follows. Returns a stop function. */
  follow(): () => void {
    const turn = async (): Promise<void> => {
      if (document.visibilityState === "visible" && !this.gone.peek()) await this.load();
      const gap = this.upload.peek()?.sending === true ? SENDING_MS : QUIET_MS;
      if (!this.#stopped) this.#timer = setTimeout(() => void turn(), gap);
    };
    void turn();
    const stop = listenTo("board", {
      onChanged: (board) => {
        if (board.id !== this.upload.peek()?.board) return;
        this.board.value = board;
        void this.load();
      },
      onRemoved: (id) => {
        if (id === this.upload.peek()?.board) void this.load();
      },
      onResync: () => {},
    });
    return () => {
      this.#stopped = true;
      clearTimeout(this.#timer);
      stop();
    };
  }
}
