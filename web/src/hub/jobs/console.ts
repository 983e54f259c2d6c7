// Loads what a job printed, and follows it: requests that the hub holds until something comes.

import { signal } from "@preact/signals";
import { tell } from "../../state/toasts";
import { fileName, saveFile } from "../../widgets/files";
import { fetchLog, type Job } from "../api/jobs";
import { reasonOf } from "../explained";
import { ConsoleLines } from "./console_lines";

/** Of a longer console only the end is loaded. */
const MOST_BYTES = 32 << 20;
const WAIT_SECS = 25;
const RETRY_MS = 2000;
const HIDDEN_MS = 1000;

type Load = typeof fetchLog;

export class Console {
  readonly lines = new ConsoleLines();
  /** Counts changes of `lines`. */
  readonly version = signal(0);
  /** Bytes before the first one that is loaded. */
  readonly skipped = signal(0);
  /** False until the end was reached once. */
  readonly loaded = signal(false);
  readonly complete = signal(false);
  readonly broken = signal(false);

  #offset = 0;
  #stop = new AbortController();

  constructor(
    readonly job: string,
    readonly load: Load = fetchLog,
    readonly mostBytes = MOST_BYTES,
  ) {}

  /** Returns a stop function. */
  follow(): () => void {
    void this.#run();
    return () => this.#stop.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let begun = false;
    while (!signal.aborted && !this.complete.peek()) {
      // nobody looks: the next request comes when the page is visible again
      if (globalThis.document?.visibilityState === "hidden" && this.loaded.peek()) {
        await pause(HIDDEN_MS);
        continue;
      }
      try {
        if (!begun) {
          await this.#begin(signal);
          begun = true;
        }
        const wait = this.loaded.peek() ? WAIT_SECS : 0;
        const part = await this.load(this.job, { offset: this.#offset, wait }, signal);
        if (signal.aborted) return;
        this.#offset = part.next;
        if (part.bytes.length > 0) this.lines.add(part.bytes);
        if (part.next >= part.size) this.loaded.value = true;
        this.complete.value = part.complete;
        this.broken.value = false;
        this.version.value += 1;
      } catch {
        if (signal.aborted) return;
        this.broken.value = true;
        await pause(RETRY_MS);
      }
    }
  }

  /** Chooses where to begin. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { size } = await this.load(this.job, { offset: -1, limit: 1 }, signal);
    this.#offset = Math.max(0, size - this.mostBytes);
    this.skipped.value = this.#offset;
  }
}

/** Saves everything that the hub has, as it was printed. */
export async function saveLog({ id, name }: Job): Promise<void> {
  const { signal } = new AbortController();
  const parts: BlobPart[] = [];
  try {
    for (let offset = 0, size = 1; offset < size; ) {
      const part = await fetchLog(id, { offset }, signal);
      parts.push(part.bytes as Uint8Array<ArrayBuffer>);
      if (part.next <= offset) break;
      ({ next: offset, size } = part);
    }
    saveFile(fileName(name, "log"), new Blob(parts, { type: "text/plain" }));
  } catch (error) {
    tell(reasonOf(error), { kind: "error" });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
