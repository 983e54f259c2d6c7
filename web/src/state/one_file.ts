// The board as one HTML file, made by the server: which runs and tags are in it, and the request.

import { computed, signal } from "@preact/signals";
import { fetchSnapshot } from "../api/client";
import { asProblem, kinds, type Problem } from "./board";
import { allRuns } from "./run_facts";
import { drawnRuns } from "./runs";
import { tagFilter } from "./tag_filter";
import { formatAddress, view } from "./view";

export type HtmlChoice = { readonly allRuns: boolean; readonly matchingTags: boolean };

/** The tags of all kinds that match the tag filter; null if there is no filter. */
export const matchingTags = computed<readonly string[] | null>(() => {
  const text = view.value.tagFilter;
  if (text === "") return null;
  const { matches } = tagFilter(text);
  return [...new Set(Object.values(kinds.value).flatMap(({ tag }) => tag.filter(matches)))];
});

export type HtmlFile = { readonly file: Blob | null; readonly problem: Problem | null };

/** Requests the file; returns a signal that has it, and a function that cancels the request. */
export function takeHtmlFile({ allRuns: whole, matchingTags: some }: HtmlChoice) {
  const taken = signal<HtmlFile>({ file: null, problem: null });
  const cancel = new AbortController();
  const run = whole || drawnRuns.peek().length === allRuns.peek().length ? {} : { run: drawnRuns.peek() };
  const tags = some ? matchingTags.peek() : null;
  const question = { ...run, ...(tags === null ? {} : { tag: tags }), view: formatAddress(view.peek()).slice(1) };
  fetchSnapshot(question, { signal: cancel.signal }).then(
    (file) => {
      taken.value = { file, problem: null };
    },
    (error: unknown) => {
      if (!cancel.signal.aborted) taken.value = { file: null, problem: asProblem(error) };
    },
  );
  return { taken, cancel: () => cancel.abort() };
}
