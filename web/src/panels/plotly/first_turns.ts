// Iframes load the Plotly library one after another, those nearest to the viewport first: parsing its five megabytes
// keeps a core busy, and ten iframes in parallel would all stay empty until the last one is ready.

type Waiting = { readonly urgency: () => number; readonly start: () => void };

const waiting = new Set<Waiting>();
let working: Waiting | null = null;

// an iframe that never responds must not block the others forever
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
  // let the page paint first
  setTimeout(next);
}

/** Calls `start` when it is this iframe's turn. Returns a function that ends or cancels the turn. */
export function takeFirstTurn(urgency: () => number, start: () => void): () => void {
  const mine: Waiting = { urgency, start };
  waiting.add(mine);
  // iframes added in the same task may be nearer
  setTimeout(next);
  return () => end(mine);
}
