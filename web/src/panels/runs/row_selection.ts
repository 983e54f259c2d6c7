// Computes the selected runs of the table after a click on a row. Pure functions.

import { type Row, runOf } from "../../state/run_rows";

export function runsOf(row: Row): readonly string[] {
  if (typeof row === "string") return [row];
  return row.kind === "run" ? [row.run] : row.runs;
}

/**
 * Selects the rows from `from` to `to`, or deselects them if the row at `to` was selected. A single group row counts as
 * all its runs; in a longer range its runs have their own rows.
 */
export function toggleRows(
  rows: readonly Row[],
  selected: ReadonlySet<string>,
  from: number,
  to: number,
): ReadonlySet<string> {
  const row = rows[to];
  if (row === undefined) return selected;
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const runs = range.flatMap((one) => runOf(one) ?? (range.length === 1 ? runsOf(one) : []));
  const on = !runsOf(row).every((run) => selected.has(run));
  const next = new Set(selected);
  for (const run of runs) {
    if (on) next.add(run);
    else next.delete(run);
  }
  return next;
}
