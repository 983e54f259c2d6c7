// Computes which rows and columns of the image grid are visible.

/** Range [from, to) of cells of one axis that intersect the viewport, plus a few on each side. */
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

/** Returns the runs that have an image of any known tag, in the given order; all runs while nothing is known. */
export function columnsOf(
  runs: readonly string[],
  held: readonly (ReadonlyMap<string, unknown> | null)[],
): readonly string[] {
  const known = held.filter((one) => one !== null);
  if (known.length === 0) return runs;
  return runs.filter((run) => known.some((one) => one.has(run)));
}
