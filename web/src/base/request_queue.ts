// A few requests at a time, the most urgent first. Browsers open six connections to a server; what waits in a browser's
// own line can neither be reordered nor given up cheaply.

export type Job = {
  /** Smaller is sooner. Asked again whenever there is room: cards move while they wait. */
  readonly urgency: () => number;
  readonly run: (signal: AbortSignal) => Promise<void>;
};

export type RequestQueue = {
  /** The answer gives the job up, whether it waits or runs. */
  readonly add: (job: Job) => () => void;
};

export function requestQueue(most: number): RequestQueue {
  const waiting = new Set<Job>();
  let running = 0;
  let due = false;

  function start(job: Job, stop: AbortController): void {
    running++;
    void job.run(stop.signal).finally(() => {
      running--;
      next();
    });
  }

  const stops = new Map<Job, AbortController>();

  function next(): void {
    due = false;
    while (running < most && waiting.size > 0) {
      let best: Job | null = null;
      let least = Number.POSITIVE_INFINITY;
      for (const job of waiting) {
        const urgency = job.urgency();
        if (best === null || urgency < least) [best, least] = [job, urgency];
      }
      if (best === null) return;
      waiting.delete(best);
      const stop = stops.get(best);
      if (stop !== undefined) start(best, stop);
    }
  }

  return {
    add(job) {
      const stop = new AbortController();
      stops.set(job, stop);
      waiting.add(job);
      // all that is asked in one go is sorted before the first is sent
      if (!due) {
        due = true;
        queueMicrotask(next);
      }
      return () => {
        waiting.delete(job);
        stops.delete(job);
        stop.abort();
      };
    },
  };
}
