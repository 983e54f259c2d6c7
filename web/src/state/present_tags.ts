// Which tags have data in the drawn runs: cards of other tags can be hidden.

import { computed, effect, signal } from "@preact/signals";
import { fetchTags } from "../api/client";
import { newestGate } from "../base/newest";
import { kinds, onChange } from "./board";
import { allRuns, drawnRuns } from "./runs";
import { view } from "./view";

/** For each kind: tags with the number of drawn runs that have them. Null: all tags, or not known yet. */
const present = signal<Readonly<Record<string, ReadonlyMap<string, number>>> | null>(null);

const NONE: ReadonlyMap<string, number> = new Map();

export function presentOf(kind: string): ReadonlyMap<string, number> | null {
  return present.value === null ? null : (present.value[kind] ?? NONE);
}

export const presentTags = computed(() => presentOf("scalars"));

const gate = newestGate();
// toggling several runs sends one request, and after those of the charts: the response has all tags
const DELAY_MS = 1000;
let timer: ReturnType<typeof setTimeout> | undefined;
let first = true;

/** A tag with more runs than there are hidden runs is in at least one drawn run. */
export function allPresent(runsOfTags: readonly number[], hidden: number): boolean {
  return runsOfTags.every((runs) => runs > hidden);
}

/** The kind of the current page. */
let followed = "scalars";
/** Counts calls of followPresentTags: a page may stop after the next one has started. */
let followers = 0;

async function ask(): Promise<void> {
  const runs = drawnRuns.peek();
  if (runs.length === 0 || allPresent(kinds.peek()[followed]?.runs ?? [], allRuns.peek().length - runs.length)) {
    await gate(Promise.resolve());
    present.value = null;
    return;
  }
  const asked = fetchTags({ run: runs }).then(
    ({ kinds }) =>
      Object.fromEntries(
        Object.entries(kinds).map(([kind, { tag, runs }]) => [kind, new Map(tag.map((one, i) => [one, runs[i] ?? 0]))]),
      ),
    // empty cards show a message themselves
    () => null,
  );
  const { newest, answer } = await gate(asked);
  if (newest) present.value = answer;
}

function askSoon(): void {
  clearTimeout(timer);
  // without delay: a link that shows few runs must not open with cards that vanish a second later
  if (first && drawnRuns.peek().length > 0 && kinds.peek()[followed] !== undefined) {
    first = false;
    void ask();
  } else timer = setTimeout(() => void ask(), DELAY_MS);
}

/** Updates the tags while the page of the kind is open. Returns a function that stops. */
export function followPresentTags(kind = "scalars"): () => void {
  followed = kind;
  followers += 1;
  const mine = followers;
  const stopWatching = effect(() => {
    void drawnRuns.value;
    if (view.value.hideEmpty) askSoon();
  });
  const stopListening = onChange(() => {
    if (present.peek() !== null) askSoon();
  });
  return () => {
    stopWatching();
    stopListening();
    if (mine === followers) clearTimeout(timer);
  };
}
