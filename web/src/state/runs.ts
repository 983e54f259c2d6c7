// The listed and the drawn runs. Everything here is derived from the board and the view; the functions at the end
// change the view. As in TensorBoard, a run is drawn if it passes the filter and its checkbox is on ("ticked").

import { computed, effect, signal } from "@preact/signals";
import { progress } from "./board";
import { allRuns, newestRuns, steady } from "./run_facts";
import { passingRuns } from "./run_filter";
import { changeView, member, view } from "./view";

export { shownName } from "./annotations";
export { colorOf, colorOfGroup, dashOf } from "./run_colors";
export { allRuns, factsOf } from "./run_facts";
export { grouper } from "./run_groups";
export { listedRuns } from "./run_rows";

/** The hovered run: its curves are highlighted, the others dimmed. */
export const emphasisedRun = signal<string | null>(null);

// ---- ticks

/** Up to this many runs are all ticked by default, as in TensorBoard. */
export const MANY_RUNS = 500;
const FIRST_RUNS = 10;

const show = member("show");
const hide = member("hide");
const showOnly = member("showOnly");
const showAll = member("showAll");

/** On a large board, before the user has selected runs: the newest runs. Null otherwise. */
const firstChoice = computed<readonly string[] | null>(() => {
  const open = !showOnly.value && !showAll.value && hide.value.length === 0;
  return open && allRuns.value.length > MANY_RUNS ? newestRuns(FIRST_RUNS) : null;
});

effect(() => {
  // not while logs are being read: newer runs may still be found
  if (firstChoice.value !== null && progress.value?.done === true) {
    changeView({ showOnly: true, show: firstChoice.value }, { step: false });
  }
});

/** The ticked runs are the members of a set, or all others. */
type Ticks = { readonly names: ReadonlySet<string>; readonly only: boolean };
const ticks = computed<Ticks>(() => {
  if (firstChoice.value !== null) return { names: new Set(firstChoice.value), only: true };
  return { names: new Set(showOnly.value ? show.value : hide.value), only: showOnly.value };
});

/** Returns true if a run's checkbox is on; it is drawn if it passes the filter as well. */
export function isTicked(run: string): boolean {
  return ticks.value.names.has(run) === ticks.value.only;
}

/** Runs whose curves are drawn, in natural order, so that sorting the list does not change charts. */
export const drawnRuns = steady(() => {
  const { names, only } = ticks.value;
  return passingRuns.value.filter((run) => names.has(run) === only);
});

export function tick(runs: readonly string[], on: boolean): void {
  const { names, only } = ticks.peek();
  const next = new Set(names);
  // ticking adds to the set of shown runs, or removes from the set of hidden ones
  if (on === only) for (const run of runs) next.add(run);
  else for (const run of runs) next.delete(run);
  put(next, only);
}

function put(names: ReadonlySet<string>, only: boolean): void {
  const list = [...names];
  if (only) changeView({ showOnly: true, showAll: false, show: list, hide: [] });
  else changeView({ showOnly: false, showAll: list.length === 0, show: [], hide: list });
}

export function tickOnly(runs: readonly string[]): void {
  put(new Set(runs), true);
}

export function tickAll(): void {
  put(new Set(), false);
}

/** Inverts the ticks of the given runs. */
export function invertTicks(runs: readonly string[]): void {
  const { names, only } = ticks.peek();
  if (runs.length === allRuns.peek().length) {
    put(names, !only);
    return;
  }
  const next = new Set(names);
  for (const run of runs) if (!next.delete(run)) next.add(run);
  put(next, only);
}

// ---- pins and baseline

export function togglePin(run: string): void {
  const pinned = view.value.pinnedRuns;
  changeView({ pinnedRuns: pinned.includes(run) ? pinned.filter((one) => one !== run) : [...pinned, run] });
}

export function toggleBaseline(run: string): void {
  changeView({ baseline: view.value.baseline === run ? "" : run });
}
