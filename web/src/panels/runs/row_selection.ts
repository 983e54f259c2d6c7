// Which runs of the table are selected after a row was clicked. Pure.

import { type Row, runOf } from "../../state/run_rows";

export function runsOf(row: Row): readonly string[] {
  if (typeof row === "string") return [row];
  return row.kind === "run" ? [row.run] : row.runs;
}

/**
 * Selects or deselects the rows from `from` to `to`, as the row at `to` was not or was selected. A single group stands
 * for its runs; in a longer range its runs have rows of their own.
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
