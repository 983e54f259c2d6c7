// One job as its page shows it: loaded with environment and code, kept up to date by the stream of changes. It
// remembers the figures that were reported since the page was opened, for small charts.

import { signal } from "@preact/signals";
import { HubError } from "../api/client";
import { fetchJob, type Job, type JobDetail } from "../api/jobs";
import { listenTo, live } from "../live";

// without a stream of changes the job is asked for
const POLL_MS = 5000;
const MOST_FIGURES = 240;

export type FigureHistory = Readonly<Record<string, readonly number[]>>;

export class OneJob {
  readonly job = signal<JobDetail | null>(null);
  readonly error = signal<unknown>(null);
  /** It was removed while its page was open. */
  readonly gone = signal(false);
  /** Values by figure, oldest first. */
  readonly history = signal<FigureHistory>({});
  #lastReport: string | null = null;

  constructor(readonly id: string) {}

  /** News have neither environment nor code: those do not change. */
  readonly apply = (job: Job): void => {
    const old = this.job.peek();
    if (old === null) return;
    this.job.value = { ...old, ...job };
    this.#note(job);
  };

  async load(): Promise<void> {
    try {
      const job = await fetchJob(this.id);
      this.job.value = job;
      this.error.value = null;
      this.#note(job);
    } catch (error) {
      const missing = error instanceof HubError && error.status === 404;
      if (missing && this.job.peek() !== null) this.gone.value = true;
      else if (this.job.peek() === null) this.error.value = error;
    }
  }

  /** Loads and follows. Returns a stop function. */
  follow(): () => void {
    void this.load();
    const stopJob = listenTo("job", {
      onChanged: (job) => {
        if (job.id === this.id) this.apply(job);
      },
      onRemoved: (id) => {
        if (id === this.id) this.gone.value = true;
      },
      onResync: () => void this.load(),
    });
    const stopBoard = listenTo("board", {
      onChanged: ({ id, name, url, state }) => {
        const job = this.job.peek();
        if (job?.board?.id === id) this.job.value = { ...job, board: { id, name, url, state } };
      },
      onRemoved: (id) => {
        const job = this.job.peek();
        if (job?.board?.id === id) this.job.value = { ...job, board: null };
      },
      onResync: () => {},
    });
    const polling = setInterval(() => {
      if (!live.peek()) void this.load();
    }, POLL_MS);
    return () => {
      stopJob();
      stopBoard();
      clearInterval(polling);
    };
  }

  #note({ figures, last_report }: Job): void {
    if (last_report === this.#lastReport) return;
    this.#lastReport = last_report;
    const history = this.history.peek();
    this.history.value = Object.fromEntries(
      Object.entries(figures).map(([key, value]) => [key, [...(history[key] ?? []), value].slice(-MOST_FIGURES)]),
    );
  }
}
