// What pictures are: whether those of a tag move or have boxes and masks is known from the first of them that is seen, since a
// tag is written in one way. So a page of many cards asks once a tag.

import { type Signal, signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ImageFacts, imageFacts } from "../../state/media";

export type TagFacts = { readonly moves: boolean; readonly overlays: boolean };

const UNKNOWN: TagFacts = { moves: false, overlays: false };
const known = new Map<string, Signal<TagFacts>>();

function factsOfTag(tag: string): Signal<TagFacts> {
  const facts = known.get(tag) ?? signal(UNKNOWN);
  known.set(tag, facts);
  return facts;
}

const asked = new Set<string>();

/** `whole`: a picture of the tag, as it was logged. */
export function useTagFacts(tag: string, whole: string | null): TagFacts {
  const facts = factsOfTag(tag);
  useEffect(() => {
    if (whole === null || asked.has(tag)) return;
    asked.add(tag);
    imageFacts(whole).then(
      ({ moves, has_overlays }) => {
        if (has_overlays) anyOverlays.value = true;
        if (moves || has_overlays) facts.value = { moves, overlays: has_overlays };
      },
      // the next one that is seen is asked again
      () => asked.delete(tag),
    );
  }, [tag, whole, facts]);
  return facts.value;
}

/** Whether any picture seen so far has boxes or masks. */
export const anyOverlays = signal(false);

/** Of one picture; null before they are there, and where nobody wants them. */
export function usePictureFacts(whole: string | null): Signal<ImageFacts | null> {
  const facts = useSignal<ImageFacts | null>(null);
  useEffect(() => {
    facts.value = null;
    if (whole === null) return;
    let cancelled = false;
    imageFacts(whole).then(
      (answer) => {
        if (!cancelled) facts.value = answer;
      },
      () => {},
    );
    return () => {
      cancelled = true;
    };
  }, [whole, facts]);
  return facts;
}
