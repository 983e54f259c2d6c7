// What writers said about a tag, as the board renders it: asked for when somebody opens it.

import { type DescriptionsQuestion, fetchDescriptions, type Said } from "../api/client";

export type { Said } from "../api/client";

/** Calls back once, unless stopped before. A board that does not answer is passed over: the plain text is there. */
export function loadDescriptions(kind: string, tag: string, take: (said: readonly Said[]) => void): () => void {
  const stop = new AbortController();
  // kinds are named as the board names them in its list of tags
  const question = { kind: kind as DescriptionsQuestion["kind"], tag };
  fetchDescriptions(question, { signal: stop.signal }).then(
    ({ said }) => {
      if (!stop.signal.aborted) take(said);
    },
    () => {},
  );
  return () => stop.abort();
}
