// What public/early.js asked before the first script was there. An answer is taken once, and only while it is fresh; nobody
// has to take it, as where a board is empty and the page that would ask is not shown.

declare global {
  /** By address below api/. */
  var lightboardEarly: Record<string, Promise<Response>> | undefined;
}

// by then the page has been drawn, or something keeps it from asking and the answer grows old
const FRESH_MS = 10_000;

export function takeEarly(address: string, ageMs = performance.now()): Promise<Response> | null {
  const answers = globalThis.lightboardEarly;
  const answer = answers?.[address];
  if (answers === undefined || answer === undefined) return null;
  delete answers[address];
  return ageMs < FRESH_MS ? answer : null;
}
