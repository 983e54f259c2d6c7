// The listed trials and their order. A trial is listed if one of its runs passes the filter of runs.

import { computed } from "@preact/signals";
import { drawnMask, touched } from "./hparams_runs";
import { passingRuns } from "./run_filter";
import { allRuns } from "./runs";
import { trials } from "./trials";
import { STATUSES, type TrialColumn } from "./trials_columns";
import { applyFilter, type Mask, type TrialFilter } from "./trials_filter";
import { sortKey, sortTrials } from "./trials_order";
import { changeView, member, view } from "./view";

const sort = member("hparamsSort");
const filters = member("hparamsFilters");
const leftOut = member("hparamsStatus");
const hidden = member("hparamsHidden");

const STATUS_WORDS: readonly string[] = STATUSES;

const statusColumn = computed(() => trials.value?.byId.get("status"));

export const listedMask = computed<Mask>(() => {
  const now = trials.value;
  const count = now?.count ?? 0;
  const all = passingRuns.value.length === allRuns.value.length;
  const mask = all ? new Uint8Array(count).fill(1) : touched(passingRuns.value, count);
  if (now === null) return mask;
  for (const [id, filter] of Object.entries(filters.value)) {
    const column = now.byId.get(id);
    if (column !== undefined) applyFilter(mask, column, filter);
  }
  const out = new Set(leftOut.value.map((word) => STATUS_WORDS.indexOf(word)));
  const status = statusColumn.value?.numbers;
  if (out.size > 0 && status !== undefined) {
    for (let trial = 0; trial < count; trial++) if (out.has(status[trial] ?? 0)) mask[trial] = 0;
  }
  if (hidden.value === "out") {
    for (let trial = 0; trial < count; trial++) if (drawnMask.value[trial] === 0) mask[trial] = 0;
  }
  return mask;
});

export function placesIn(mask: Mask): Int32Array {
  let count = 0;
  for (const one of mask) count += one;
  const found = new Int32Array(count);
  let at = 0;
  for (let trial = 0; trial < mask.length; trial++) if (mask[trial] === 1) found[at++] = trial;
  return found;
}

/** Indices of the trials that pass every filter, in the server's order. */
export const listed = computed<Int32Array>(() => placesIn(listedMask.value));

export const sortKeys = computed(() => sort.value.map(sortKey));

/** The listed trials in the user's sort order. */
export const ordered = computed<Int32Array>(() => {
  const known = trials.value?.byId;
  if (known === undefined) return listed.value;
  const keys = sortKeys.value.flatMap(({ column, down }) => {
    const found = column === "name" ? nameColumn.value : known.get(column);
    return found === undefined ? [] : [{ column: found, down }];
  });
  return sortTrials(listed.value, keys);
});

/** Names as numbers: the index is enough, because the server lists trials in natural order. */
const nameColumn = computed<TrialColumn | undefined>(() => {
  const status = statusColumn.value;
  return (
    status && { ...status, id: "name", numbers: Float64Array.from({ length: status.numbers.length }, (_, at) => at) }
  );
});

export function setSort(id: string, down: boolean, more: boolean): void {
  const others = more ? sort.value.filter((one) => sortKey(one).column !== id) : [];
  changeView({ hparamsSort: [...others, `${down ? "-" : ""}${id}`] });
}

/** Switches between ascending, descending and unsorted. */
export function cycleSort(id: string, more: boolean): void {
  const now = sortKeys.value.find(({ column }) => column === id);
  if (now === undefined) setSort(id, false, more);
  else if (!now.down) setSort(id, true, more);
  else changeView({ hparamsSort: more ? sort.value.filter((one) => sortKey(one).column !== id) : [] });
}

export function setFilter(id: string, filter: TrialFilter | null): void {
  const { [id]: _, ...others } = view.value.hparamsFilters;
  changeView({ hparamsFilters: filter === null ? others : { ...others, [id]: filter } });
}

export function toggleStatus(word: string, on: boolean): void {
  const now = leftOut.value.filter((one) => one !== word);
  changeView({ hparamsStatus: on ? now : [...now, word] });
}

export function clearFilters(): void {
  changeView({ hparamsFilters: {}, hparamsStatus: [], runFilter: "", hparamsHidden: "auto" });
}

/** Returns the `count` best listed trials by a metric; if its goal is unknown, the highest are best. */
export function bestBy(column: TrialColumn, count: number): Int32Array {
  const sorted = sortTrials(listed.value, [{ column, down: column.goal !== "min" }]);
  return sorted.filter((trial) => !Number.isNaN(column.numbers[trial] ?? Number.NaN)).subarray(0, count);
}
