// One board as its page shows it: loaded, kept up to date by the stream of changes, and asked for progress while it
// starts.

import { signal } from "@preact/signals";
import { fetchBoard, fetchProgress } from "../api/boards";
import { HubError } from "../api/client";
import type { Board, Progress } from "../api/types";
import { listenTo, live } from "../live";
import { CHANGING } from "./status";

const PROGRESS_MS = 700;
// without a stream of changes the board is asked for
const POLL_MS = 5000;

export class OneBoard {
  readonly board = signal<Board | null>(null);
  readonly progress = signal<Progress | null>(null);
  readonly error = signal<unknown>(null);
  /** It was deleted while its page was open. */
  readonly gone = signal(false);

  constructor(readonly id: string) {}

  readonly apply = (board: Board): void => {
    const old = this.board.peek();
    // answers and news may overtake each other
    if (old !== null && board.generation < old.generation) return;
    this.board.value = board;
    if (!CHANGING.has(board.state)) this.progress.value = null;
  };

  async load(): Promise<void> {
    try {
      this.apply(await fetchBoard(this.id));
      this.error.value = null;
    } catch (error) {
      const missing = error instanceof HubError && error.status === 404;
      if (missing && this.board.peek() !== null) this.gone.value = true;
      else if (this.board.peek() === null) this.error.value = error;
    }
  }

  /** Loads and follows. Returns a stop function. */
  follow(): () => void {
    void this.load();
    const stop = listenTo("board", {
      onChanged: (board) => {
        if (board.id === this.id) this.apply(board);
      },
      onRemoved: (id) => {
        if (id === this.id) this.gone.value = true;
      },
      onResync: () => void this.load(),
    });
    const asking = setInterval(() => void this.#askProgress(), PROGRESS_MS);
    const polling = setInterval(() => {
      if (!live.peek()) void this.load();
    }, POLL_MS);
    return () => {
      stop();
      clearInterval(asking);
      clearInterval(polling);
    };
  }

  async #askProgress(): Promise<void> {
    const state = this.board.peek()?.state;
    if (document.visibilityState !== "visible" || (state !== "Starting" && state !== "Pending")) return;
    try {
      const progress = await fetchProgress(this.id);
      const now = this.board.peek()?.state;
      if (now === "Starting" || now === "Pending") this.progress.value = progress;
    } catch {
      // shown without progress
    }
  }
}
