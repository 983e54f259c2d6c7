// Facts of images. All images of a tag are written in the same way, so the first loaded image tells whether they are
// animated or have boxes and masks: one request per tag is enough.

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

/** `whole`: URL of an image of the tag, as it was logged. */
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
      // retried with the next image of the tag
      () => asked.delete(tag),
    );
  }, [tag, whole, facts]);
  return facts.value;
}

/** Whether any image loaded so far has boxes or masks. */
export const anyOverlays = signal(false);

/** Facts of one image; null before they are loaded, and if `whole` is null. */
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
