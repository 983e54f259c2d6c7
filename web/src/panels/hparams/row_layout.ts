// Where rows of the table are when some of them have charts below them.

/** Rows have one height, open ones a second one more. */
export type RowLayout = {
  readonly totalPx: number;
  readonly topOf: (row: number) => number;
  /** The row at a place; rows beyond the end are the last one. */
  readonly rowAt: (px: number) => number;
};

export function rowLayout(count: number, open: readonly number[], rowPx: number, extraPx: number): RowLayout {
  const sorted = [...open].sort((a, b) => a - b);
  const topOf = (row: number): number => row * rowPx + below(sorted, row) * extraPx;
  return {
    totalPx: count * rowPx + sorted.length * extraPx,
    topOf,
    rowAt: (px) => {
      let [lo, hi] = [0, Math.max(0, count - 1)];
      while (lo < hi) {
        const middle = (lo + hi + 1) >>> 1;
        if (topOf(middle) <= px) lo = middle;
        else hi = middle - 1;
      }
      return lo;
    },
  };
}

/** How many of the sorted numbers are smaller. */
function below(sorted: readonly number[], number: number): number {
  let count = 0;
  while (count < sorted.length && (sorted[count] ?? 0) < number) count++;
  return count;
}
