// Rows of the run list: flat, as a tree by path, or in groups. A row of a flat list is just the run's name, so that a
// list of 100,000 runs needs no extra objects.

import { computed } from "@preact/signals";
import { grouper, groupRuns } from "./run_groups";
import { pinnedOnTop, sortedRuns } from "./run_order";
import { member } from "./view";

export type TreeRun = {
  readonly kind: "run";
  readonly run: string;
  readonly label: string;
  /** PINNED for rows above the list. */
  readonly depth: number;
};
export const PINNED = -1;
export type Branch = {
  readonly kind: "folder" | "group";
  /** The same key as in `view.folded`. */
  readonly key: string;
  readonly label: string;
  readonly depth: number;
  readonly runs: readonly string[];
  readonly open: boolean;
};
export type Row = string | TreeRun | Branch;

export function runOf(row: Row): string | null {
  if (typeof row === "string") return row;
  return row.kind === "run" ? row.run : null;
}

export function keyOfRow(row: Row): string {
  if (typeof row === "string") return `r${row}`;
  if (row.kind !== "run") return `b${row.key}`;
  return row.depth === PINNED ? `p${row.run}` : `r${row.run}`;
}

// ---- tree

// null for runs without children, which are most: they need no map
type Folder = { folders: Map<string, Folder> | null; own: string | null };

/**
 * Returns the rows of a tree by path. A folder with a single subfolder is shown in one row with it; a run with runs
 * below it is their parent.
 */
export function treeRows(runs: readonly string[], folded: ReadonlySet<string>): readonly Row[] {
  const root: Folder = { folders: null, own: null };
  for (const run of runs) {
    let at = root;
    for (const part of run.split("/")) {
      at.folders ??= new Map();
      let next = at.folders.get(part);
      if (next === undefined) {
        next = { folders: null, own: null };
        at.folders.set(part, next);
      }
      at = next;
    }
    at.own = run;
  }
  const rows: Row[] = [];
  for (const [name, folder] of root.folders ?? []) walk(folder, name, name, 0, folded, rows);
  return rows;
}

function walk(
  folder: Folder,
  path: string,
  label: string,
  depth: number,
  folded: ReadonlySet<string>,
  rows: Row[] | null,
): readonly string[] {
  if (folder.folders === null) {
    const run = folder.own ?? path;
    rows?.push({ kind: "run", run, label, depth });
    return [run];
  }
  if (folder.own === null && folder.folders.size === 1) {
    for (const [name, only] of folder.folders) {
      return walk(only, `${path}/${name}`, `${label}/${name}`, depth, folded, rows);
    }
  }
  const open = !folded.has(path);
  const place = rows?.length ?? 0;
  const inner = open ? rows : null;
  // its runs are known only after the recursion; this entry is replaced then
  rows?.push(path);
  const runs: string[] = [];
  if (folder.own !== null) {
    inner?.push({ kind: "run", run: folder.own, label: ".", depth: depth + 1 });
    runs.push(folder.own);
  }
  for (const [name, below] of folder.folders) {
    for (const run of walk(below, `${path}/${name}`, name, depth + 1, folded, inner)) runs.push(run);
  }
  if (rows !== null) rows[place] = { kind: "folder", key: path, label, depth, runs, open };
  return runs;
}

// ---- the list

const runTree = member("runTree");
const foldedKeys = member("folded");
const folded = computed<ReadonlySet<string>>(() => new Set(foldedKeys.value));

export function groupKey(label: string): string {
  return `group:${label}`;
}

/** All rows below the pinned runs. */
const body = computed<readonly Row[]>(() => {
  const runs = sortedRuns.value;
  const by = grouper.value;
  if (by !== null) return groupedRows(runs, by);
  return runTree.value ? treeRows(runs, folded.value) : runs;
});

export function groupedRows(runs: readonly string[], by: (run: string) => string | null): readonly Row[] {
  const { groups, rest } = groupRuns(runs, by);
  const rows: Row[] = [];
  for (const { label, runs: members } of groups) {
    const key = groupKey(label);
    const open = !folded.value.has(key);
    rows.push({ kind: "group", key, label, depth: 0, runs: members, open });
    if (open) for (const run of members) rows.push({ kind: "run", run, label: run, depth: 1 });
  }
  for (const run of rest) rows.push(run);
  return rows;
}

/** Rows of the list, pinned runs on top. */
export const listRows = computed<readonly Row[]>(() => {
  const pinned = pinnedOnTop.value;
  if (pinned.length === 0) return body.value;
  const above = new Set(pinned);
  // in a tree or a group the run also stays at its own position
  const below =
    grouper.value === null && !runTree.value
      ? body.value.filter((row) => typeof row !== "string" || !above.has(row))
      : body.value;
  return [...pinned.map((run): Row => ({ kind: "run", run, label: run, depth: PINNED })), ...below];
});

/** Runs that pass the filter, in the order of the list. */
export const listedRuns = computed<readonly string[]>(() => {
  const pinned = pinnedOnTop.value;
  if (pinned.length === 0) return sortedRuns.value;
  const above = new Set(pinned);
  return [...pinned, ...sortedRuns.value.filter((run) => !above.has(run))];
});
