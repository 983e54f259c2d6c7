// Frames get their library one after another, the nearest to the reader first: reading five megabytes of it keeps a core
// busy, and ten frames that do so at once would all show nothing for as long as all of them take together.

type Waiting = { readonly urgency: () => number; readonly start: () => void };

const waiting = new Set<Waiting>();
let working: Waiting | null = null;

// a frame that says nothing must not keep the others waiting for ever
const PATIENCE_MS = 15_000;

function next(): void {
  if (working !== null) return;
  let nearest: Waiting | null = null;
  for (const one of waiting) if (nearest === null || one.urgency() < nearest.urgency()) nearest = one;
  if (nearest === null) return;
  const mine = nearest;
  waiting.delete(mine);
  working = mine;
  setTimeout(() => end(mine), PATIENCE_MS);
  mine.start();
}

function end(one: Waiting): void {
  waiting.delete(one);
  if (working !== one) return;
  working = null;
  // the page may paint what was drawn
  setTimeout(next);
}

/** Calls back when it is this frame's turn; the answer ends the turn, or gives it up. */
export function takeFirstTurn(urgency: () => number, start: () => void): () => void {
  const mine: Waiting = { urgency, start };
  waiting.add(mine);
  // others that come in the same moment may be nearer
  setTimeout(next);
  return () => end(mine);
}
