// Which rows and columns of the grid are in sight, as arithmetic.

/** Cells [from, to) of one direction that touch what is in sight, and a few beyond it. */
export function inSight(
  count: number,
  cellPx: number,
  scrollPx: number,
  sightPx: number,
  beyondPx: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.floor((scrollPx - beyondPx) / cellPx));
  const to = Math.min(count, Math.ceil((scrollPx + sightPx + beyondPx) / cellPx));
  return { from: Math.min(from, count), to };
}

/** Runs that have a picture of any tag known so far, in the order given; all of them while nothing is known. */
export function columnsOf(
  runs: readonly string[],
  held: readonly (ReadonlyMap<string, unknown> | null)[],
): readonly string[] {
  const known = held.filter((one) => one !== null);
  if (known.length === 0) return runs;
  return runs.filter((run) => known.some((one) => one.has(run)));
}
