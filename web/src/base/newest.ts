// The one gate for asynchronous answers: when questions overlap, only the answer to the newest one counts.

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

/** A function that runs `work` soon, once, however often it is called meanwhile. */
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
 * A function that sees to it that `work` runs: at once after a pause, never twice at a time, and with a gap between two
 * that grows with how long the work takes, so that a slow server or a huge board is not asked without end.
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
