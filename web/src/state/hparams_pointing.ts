// The trial under the pointer, the trial whose details are shown, and the expanded trials in the table.

import { computed, signal } from "@preact/signals";
import { trialOfRun } from "./hparams_runs";
import { emphasisedRun } from "./runs";
import { trials } from "./trials";
import type { Trials } from "./trials_columns";
import { changeView, member } from "./view";

const hovered = signal<number>(-1);

/** The trial under the pointer, here or in the list of runs; -1 for none. */
export const pointed = computed(() => {
  if (hovered.value >= 0) return hovered.value;
  const run = emphasisedRun.value;
  return run === null ? -1 : trialOfRun.value(run);
});

export function point(trial: number): void {
  if (hovered.peek() !== trial) hovered.value = trial;
}

const kept = member("hparamsTrial");

/** The trial whose details are shown; -1 for none. */
export const keptTrial = computed(() => (kept.value === "" ? -1 : placeOf(trials.value, kept.value)));

function placeOf(now: Trials | null, name: string): number {
  return now === null ? -1 : (placesByName.value.get(name) ?? -1);
}

const placesByName = computed<ReadonlyMap<string, number>>(
  () => new Map((trials.value?.names ?? []).map((name, trial) => [name, trial])),
);

export function keep(trial: number): void {
  changeView({ hparamsTrial: trial < 0 ? "" : (trials.peek()?.names[trial] ?? "") }, { apart: true });
}

const open = member("hparamsOpen");

export const openTrials = computed<ReadonlySet<string>>(() => new Set(open.value));

export function toggleOpen(name: string): void {
  changeView(
    { hparamsOpen: open.value.includes(name) ? open.value.filter((one) => one !== name) : [...open.value, name] },
    { apart: true },
  );
}
