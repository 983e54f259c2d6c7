// Sorts runs by one or more columns; missing values are last in both directions.

import { computed } from "@preact/signals";
import { type Cell, cellsOf, sortColumn } from "./run_columns";
import { placeOfRun, steady } from "./run_facts";
import { passingRuns } from "./run_filter";
import { changeView, member, view } from "./view";

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function missing(value: Cell): boolean {
  return value === null || (typeof value === "number" && Number.isNaN(value));
}

/** Compares in ascending order; missing values are last. */
export function compareCells(one: Cell, other: Cell): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "boolean" && typeof other === "boolean") return Number(one) - Number(other);
  return collator.compare(String(one), String(other));
}

type Key = { readonly values: readonly Cell[]; readonly down: boolean };

/** Returns indices sorted by the keys, the first key first; the sort is stable. */
export function sortedPositions(count: number, keys: readonly Key[]): readonly number[] {
  const positions = Array.from({ length: count }, (_, i) => i);
  return positions.sort((a, b) => {
    for (const { values, down } of keys) {
      const [one, other] = [values[a] ?? null, values[b] ?? null];
      const [noOne, noOther] = [missing(one), missing(other)];
      if (noOne !== noOther) return noOne ? 1 : -1;
      if (noOne) continue;
      const order = compareCells(one, other);
      if (order !== 0) return down ? -order : order;
    }
    return a - b;
  });
}

const runSort = member("runSort");

/** Runs that pass the filter, sorted. */
export const sortedRuns = steady(() => {
  const names = passingRuns.value;
  const sorts = runSort.value.map(sortColumn);
  if (sorts.length === 0) return names;
  const [first] = sorts;
  if (sorts.length === 1 && first?.column === "name") return first.down ? [...names].reverse() : names;
  const keys = sorts.map(({ column, down }) => {
    const read = column === "name" ? (run: string) => placeOfRun.value.get(run) ?? null : cellsOf(column);
    return { down, values: names.map(read) };
  });
  return sortedPositions(names.length, keys).flatMap((position) => names[position] ?? []);
});

const pinnedRuns = member("pinnedRuns");

/** Pinned runs that pass the filter, in the user's order. */
export const pinnedOnTop = computed<readonly string[]>(() => {
  if (pinnedRuns.value.length === 0) return [];
  const passing = new Set(passingRuns.value);
  return pinnedRuns.value.filter((run) => passing.has(run));
});

/** Returns the position of a column among the sort columns, from 1, and its direction. */
export function sortOf(column: string): { readonly place: number; readonly down: boolean } | null {
  const at = view.value.runSort.findIndex((sort) => sortColumn(sort).column === column);
  const sort = view.value.runSort[at];
  return sort === undefined ? null : { place: at + 1, down: sort.startsWith("-") };
}

/** Switches between ascending, descending and unsorted. `more` keeps the other columns. */
export function cycleSort(column: string, more: boolean): void {
  const now = sortOf(column);
  const next = now === null ? [column] : now.down ? [] : [`-${column}`];
  const others = more ? view.value.runSort.filter((sort) => sortColumn(sort).column !== column) : [];
  const at = more && now !== null ? now.place - 1 : others.length;
  changeView({ runSort: [...others.slice(0, at), ...next, ...others.slice(at)] });
}
