// Trials and runs of the board: which run belongs to which trial, and which trials are drawn on other pages.

import { computed } from "@preact/signals";
import { allRuns, drawnRuns, MANY_RUNS, tick, tickOnly } from "./runs";
import { trials } from "./trials";
import type { Mask } from "./trials_filter";
import { member } from "./view";

const hidden = member("hparamsHidden");

/** Returns the trial of a run: the one of its own directory or of a parent directory. */
export const trialOfRun = computed<(run: string) => number>(() => {
  const known = new Map<string, number>();
  trials.value?.runs.forEach((runs, trial) => {
    for (const run of runs) known.set(run, trial);
  });
  return (run) => {
    for (let path = run; ; path = path.slice(0, path.lastIndexOf("/"))) {
      const found = known.get(path);
      if (found !== undefined) return found;
      if (!path.includes("/")) return known.get(".") ?? -1;
    }
  };
});

/** Runs of the board by trial: the trial's own runs and those below them. */
const runsByTrial = computed<ReadonlyMap<number, readonly string[]>>(() => {
  const found = new Map<number, string[]>();
  const of = trialOfRun.value;
  for (const run of allRuns.value) {
    const trial = of(run);
    const list = found.get(trial);
    if (list === undefined) found.set(trial, [run]);
    else list.push(run);
  }
  return found;
});

export function runsOf(trial: number): readonly string[] {
  return runsByTrial.value.get(trial) ?? trials.value?.runs[trial] ?? [];
}

export function touched(runs: readonly string[], count: number): Mask {
  const mask = new Uint8Array(count);
  const of = trialOfRun.value;
  for (const run of runs) {
    const trial = of(run);
    if (trial >= 0) mask[trial] = 1;
  }
  return mask;
}

/** 1 if some run of the trial is drawn on the board. */
export const drawnMask = computed<Mask>(() => touched(drawnRuns.value, trials.value?.count ?? 0));

/** True if trials of hidden runs are dimmed. */
export const dimsHidden = computed(
  () => hidden.value === "dim" || (hidden.value === "auto" && allRuns.value.length <= MANY_RUNS),
);

export function showOnBoard(list: Iterable<number>, only: boolean): void {
  const runs = [...list].flatMap(runsOf);
  if (only) tickOnly(runs);
  else tick(runs, true);
}

export function hideOnBoard(list: Iterable<number>): void {
  tick([...list].flatMap(runsOf), false);
}
