// Sends a few requests at a time, the most urgent first. Browsers open six connections to a server, and requests in a
// browser's own queue can neither be reordered nor canceled cheaply.

export type Job = {
  /** Smaller is sooner. Called again before each start, because cards move while they wait. */
  readonly urgency: () => number;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type RequestQueue = {
  /** The returned function cancels the job, whether it waits or runs. */
  readonly add: (job: Job) => () => void;
};

function mostUrgent(jobs: Iterable<Job>): Job | undefined {
  let best: Job | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    const urgency = job.urgency();
    if (best === undefined || urgency < least) [best, least] = [job, urgency];
  }
  return best;
}

export function requestQueue(most: number): RequestQueue {
  // Jobs that have not started. Started jobs are removed: they may hold a large response in memory.
  const waiting = new Map<Job, AbortController>();
  let running = 0;
  let due = false;

  function start(job: Job, stop: AbortController): void {
    running++;
    void job.run(stop.signal).finally(() => {
      running--;
      next();
    });
  }

  function next(): void {
    due = false;
    while (running < most) {
      const job = mostUrgent(waiting.keys());
      const stop = job && waiting.get(job);
      if (job === undefined || stop === undefined) return;
      waiting.delete(job);
      start(job, stop);
    }
  }

  return {
    add(job) {
      const stop = new AbortController();
      waiting.set(job, stop);
      // jobs added in one task are sorted before the first is sent
      if (!due) {
        due = true;
        queueMicrotask(next);
      }
      return () => {
        waiting.delete(job);
        stop.abort();
      };
    },
  };
}
