// Which tags have data in the runs that are drawn: cards of the others can be left out.

import { effect, signal } from "@preact/signals";
import { fetchTags } from "../api/client";
import { newestGate } from "../base/newest";
import { kinds, onChange } from "./board";
import { allRuns, drawnRuns } from "./runs";
import { view } from "./view";

/** Null: all of them, or not known yet. */
export const presentTags = signal<ReadonlySet<string> | null>(null);

const gate = newestGate();
// ticking through a list of runs asks once, and after the charts: it is the whole list of tags
const DELAY_MS = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;
let first = true;

/** A tag that more runs have than are hidden is in one that is drawn. */
export function allPresent(runsOfTags: readonly number[], hidden: number): boolean {
  return runsOfTags.every((runs) => runs > hidden);
}

async function ask(): Promise<void> {
  const runs = drawnRuns.peek();
  if (runs.length === 0 || allPresent(kinds.peek().scalars?.runs ?? [], allRuns.peek().length - runs.length)) {
    await gate(Promise.resolve());
    presentTags.value = null;
    return;
  }
  const asked = fetchTags({ run: runs }).then(
    ({ kinds }) => new Set(kinds.scalars?.tag ?? []),
    // cards that turn out empty say so themselves
    () => null,
  );
  const { newest, answer } = await gate(asked);
  if (newest) presentTags.value = answer;
}

function askSoon(): void {
  clearTimeout(timer);
  // a link that shows few runs must not open with cards that vanish a second later
  if (first && drawnRuns.peek().length > 0 && kinds.peek().scalars !== undefined) {
    first = false;
    void ask();
  } else timer = setTimeout(() => void ask(), DELAY_MS);
}

/** Keep it true while the page is open; the answer stops. */
export function followPresentTags(): () => void {
  const stopWatching = effect(() => {
    void drawnRuns.value;
    if (view.value.hideEmpty) askSoon();
  });
  const stopListening = onChange(() => {
    if (presentTags.peek() !== null) askSoon();
  });
  return () => {
    stopWatching();
    stopListening();
    clearTimeout(timer);
  };
}
