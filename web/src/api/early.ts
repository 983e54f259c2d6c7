// Requests that public/early.js started before the first script was loaded. A response is taken at most once, and only
// while it is fresh. It may stay unused: an empty board does not show the page that would need it.

declare global {
  /** The key is the URL below api/. */
  var lightboardEarly: Record<string, Promise<Response>> | undefined;
}

// an older response may be out of date
const FRESH_MS = 10_000;

export function takeEarly(address: string, ageMs = performance.now()): Promise<Response> | null {
  const answers = globalThis.lightboardEarly;
  const answer = answers?.[address];
  if (answers === undefined || answer === undefined) return null;
  delete answers[address];
  return ageMs < FRESH_MS ? answer : null;
}
