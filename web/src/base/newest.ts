// Helpers for asynchronous work: if requests overlap, only the response to the newest one is used.

export type Gate = <T>(work: Promise<T>) => Promise<{ readonly newest: boolean; readonly answer: T }>;

export function newestGate(): Gate {
  let latest = 0;
  return async (work) => {
    latest += 1;
    const mine = latest;
    const answer = await work;
    return { newest: mine === latest, answer };
  };
}

/** Returns a function that runs `work` after a delay, once for all calls made meanwhile. */
export function coalesced(work: () => void, delayMs: number): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => {
      waiting = false;
      work();
    }, delayMs);
  };
}

/**
 * Returns a function that requests a run of `work`: immediately if the last run is long ago, and never two at a time.
 * The gap between two runs grows with the duration of the work, so that a slow server is not overloaded.
 */
export function paced(work: () => Promise<void>, gapMs: number, gapPerWork = 2): () => void {
  let busy = false;
  let again = false;
  const run = async (): Promise<void> => {
    again = false;
    const begin = performance.now();
    await work();
    const gap = Math.max(gapMs, gapPerWork * (performance.now() - begin));
    setTimeout(() => {
      busy = false;
      if (again) start();
    }, gap);
  };
  const start = (): void => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    void run();
  };
  return start;
}
