// Descriptions of a tag that writers logged, rendered by the server; loaded when the user opens them.

import { type DescriptionsQuestion, fetchDescriptions, type Said } from "../api/client";

export type { Said } from "../api/client";

/** Calls `take` once, unless stopped before. Errors are ignored: the page has the plain text. */
export function loadDescriptions(kind: string, tag: string, take: (said: readonly Said[]) => void): () => void {
  const stop = new AbortController();
  // kinds have the same names as in the board's list of tags
  const question = { kind: kind as DescriptionsQuestion["kind"], tag };
  fetchDescriptions(question, { signal: stop.signal }).then(
    ({ said }) => {
      if (!stop.signal.aborted) take(said);
    },
    () => {},
  );
  return () => stop.abort();
}
