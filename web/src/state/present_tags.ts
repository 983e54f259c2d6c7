// Which tags have data in the drawn runs: cards of other tags can be hidden. A live run changes the board several times
// a second, so requests are throttled: a call never delays the request that is already planned.

import { computed, effect, signal } from "@preact/signals";
import { fetchTags } from "../api/client";
import { kinds, onChange } from "./board";
import { allRuns, drawnRuns } from "./runs";
import { view } from "./view";

type Counts = Readonly<Record<string, ReadonlyMap<string, number>>>;

/** For each kind: tags with the number of drawn runs that have them; `runs` are the runs that were counted. */
type Present = { readonly runs: ReadonlySet<string>; readonly counts: Counts };

/** Calls `work` after a delay; returns a function that cancels. */
export type After = (delayMs: number, work: () => void) => () => void;

const afterMs: After = (delayMs, work) => {
  const timer = setTimeout(work, delayMs);
  return () => clearTimeout(timer);
};

// toggling several runs sends one request, and after those of the charts: the response has all tags
const DELAY_MS = 1000;
// if more runs are drawn and the server has not responded after this time, all tags are shown
const PATIENCE_MS = 150;

const NONE: ReadonlyMap<string, number> = new Map();

/** A tag with more runs than there are hidden runs is in at least one drawn run. */
export function allPresent(runsOfTags: readonly number[], hidden: number): boolean {
  return runsOfTags.every((runs) => runs > hidden);
}

type Turn = { readonly now: () => void; readonly soon: () => void; readonly cancel: () => void };

/** Runs `work` never twice at a time. `soon` waits a second, and calls made meanwhile do not restart that second. */
export function inTurn(work: () => Promise<void>, after: After): Turn {
  let cancelPlanned: (() => void) | null = null;
  let busy = false;
  let next: "now" | "soon" | null = null;
  const cancel = (): void => {
    cancelPlanned?.();
    cancelPlanned = null;
    next = null;
  };
  const run = async (): Promise<void> => {
    cancel();
    busy = true;
    await work();
    busy = false;
    if (next === "now") void run();
    else if (next === "soon") soon();
  };
  const now = (): void => {
    if (busy) next = "now";
    else void run();
  };
  const soon = (): void => {
    if (busy) next ??= "soon";
    else {
      next = null;
      cancelPlanned ??= after(DELAY_MS, () => void run());
    }
  };
  return { now, soon, cancel };
}

async function countTags(runs: readonly string[]): Promise<Counts | null> {
  try {
    const { kinds } = await fetchTags({ run: runs });
    const counted = Object.entries(kinds).map(([kind, { tag, runs }]) => {
      return [kind, new Map(tag.map((one, i) => [one, runs[i] ?? 0]))] as const;
    });
    return Object.fromEntries(counted);
  } catch {
    // empty cards show a message themselves
    return null;
  }
}

export class PresentTags {
  /** Null: show all tags, because all are present or because it is not known yet. */
  private readonly present = signal<Present | null>(null);
  private readonly turn: Turn;
  private followed = "scalars";
  private first = true;
  /** Counts calls of `follow`: a page may stop after the next one has started. */
  private followers = 0;

  constructor(private readonly after: After = afterMs) {
    this.turn = inTurn(() => this.ask(), after);
  }

  of(kind: string): ReadonlyMap<string, number> | null {
    return this.present.value === null ? null : (this.present.value.counts[kind] ?? NONE);
  }

  /** Updates the tags while the page of the kind is open. Returns a function that stops. */
  follow(kind: string): () => void {
    this.followed = kind;
    this.followers += 1;
    const mine = this.followers;
    const stopWatching = effect(() => {
      void drawnRuns.value;
      if (view.value.hideEmpty) this.runsChanged();
    });
    const stopListening = onChange(() => {
      if (this.present.peek() !== null) this.turn.soon();
    });
    return () => {
      stopWatching();
      stopListening();
      if (mine === this.followers) this.turn.cancel();
    };
  }

  private runsChanged(): void {
    const known = drawnRuns.peek().length > 0 && kinds.peek()[this.followed] !== undefined;
    // without delay: a link that shows few runs must not open with cards that vanish a second later
    if (this.first && known) {
      this.first = false;
      this.turn.now();
    } else if (this.outdated()) {
      this.turn.now();
      this.after(PATIENCE_MS, () => this.showAllIfOutdated());
    } else this.turn.soon();
  }

  private async ask(): Promise<void> {
    const runs = drawnRuns.peek();
    const hidden = allRuns.peek().length - runs.length;
    const all = runs.length === 0 || allPresent(kinds.peek()[this.followed]?.runs ?? [], hidden);
    const counts = all ? null : await countTags(runs);
    this.present.value = counts === null ? null : { runs: new Set(runs), counts };
    this.showAllIfOutdated();
  }

  /** True if a run is drawn whose tags were not counted. */
  private outdated(): boolean {
    const counted = this.present.peek()?.runs;
    return counted !== undefined && !drawnRuns.peek().every((run) => counted.has(run));
  }

  private showAllIfOutdated(): void {
    if (this.outdated()) this.present.value = null;
  }
}

const ofBoard = new PresentTags();

export function presentOf(kind: string): ReadonlyMap<string, number> | null {
  return ofBoard.of(kind);
}

export const presentTags = computed(() => presentOf("scalars"));

export function followPresentTags(kind = "scalars"): () => void {
  return ofBoard.follow(kind);
}
