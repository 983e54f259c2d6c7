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
