// Searches the steps of a card on the server, again when the words or the series change.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { KindCard } from "../../state/card_keys";
import { reasonOf } from "../../state/explained";
import { findTexts, type TextFinds } from "../../state/text_values";

export type Search = {
  /** Null without search words, and before the first response. */
  readonly finds: ReadonlySignal<TextFinds | null>;
  readonly problem: ReadonlySignal<string | null>;
};

// debounce of typing
const DELAY_MS = 250;

export function useSearch({ run, tag }: KindCard, words: string, points: number): Search {
  const search = useMemo(() => ({ finds: signal<TextFinds | null>(null), problem: signal<string | null>(null) }), []);
  useEffect(() => {
    search.problem.value = null;
    if (words === "") {
      search.finds.value = null;
      return;
    }
    const stop = new AbortController();
    const { signal: stopped } = stop;
    const look = (): void => {
      findTexts({ run, tag }, words, (finds) => (search.finds.value = finds), stopped).catch((error: unknown) => {
        if (!stopped.aborted) search.problem.value = reasonOf(error);
      });
    };
    const timer = setTimeout(look, DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [run, tag, words, points, search]);
  return search;
}
