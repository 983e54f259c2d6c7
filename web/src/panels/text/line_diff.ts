// Line diff of two texts (Myers, "An O(ND) difference algorithm", 1986).

export type DiffRow =
  /** Line numbers start at 0. */
  | { readonly kind: "same"; readonly before: number; readonly after: number }
  | { readonly kind: "removed"; readonly before: number }
  | { readonly kind: "added"; readonly after: number };

export type LineDiff = {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly rows: readonly DiffRow[];
  /** Too many differences for a search: everything between the common prefix and the common suffix is replaced. */
  readonly rough: boolean;
};

// time and memory of the search grow with the square of this
const MOST_EDITS = 1500;

export function diffLines(before: string, after: string): LineDiff {
  const a = before.split("\n");
  const b = after.split("\n");
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const rows: DiffRow[] = [];
  for (let i = 0; i < start; i++) rows.push({ kind: "same", before: i, after: i });
  const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const inner = middle ?? replaced(a.length - start - end, b.length - start - end);
  for (const row of inner) rows.push(moved(row, start));
  for (let i = end; i > 0; i--) rows.push({ kind: "same", before: a.length - i, after: b.length - i });
  return { before: a, after: b, rows, rough: middle === null };
}

function moved(row: DiffRow, by: number): DiffRow {
  if (row.kind === "same") return { kind: "same", before: row.before + by, after: row.after + by };
  return row.kind === "added" ? { kind: "added", after: row.after + by } : { kind: "removed", before: row.before + by };
}

function replaced(removed: number, added: number): readonly DiffRow[] {
  return [
    ...Array.from({ length: removed }, (_, before): DiffRow => ({ kind: "removed", before })),
    ...Array.from({ length: added }, (_, after): DiffRow => ({ kind: "added", after })),
  ];
}

/** Returns null if more than `MOST_EDITS` edits would be needed. */
function edits(a: readonly string[], b: readonly string[]): readonly DiffRow[] | null {
  if (a.length === 0 || b.length === 0) return replaced(a.length, b.length);
  const most = Math.min(a.length + b.length, MOST_EDITS);
  // for each diagonal k = x − y the furthest x reached with d edits
  const furthest = new Int32Array(2 * most + 3);
  const zero = most + 1;
  const trace: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    trace.push(furthest.slice(zero - d - 1, zero + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, zero + k - 1) < at(furthest, zero + k + 1));
      let x = down ? at(furthest, zero + k + 1) : at(furthest, zero + k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest[zero + k] = x;
      if (x >= a.length && y >= b.length) return backwards(trace, a.length, b.length);
    }
  }
  return null;
}

function at(array: Int32Array, index: number): number {
  return array[index] ?? 0;
}

function backwards(trace: readonly Int32Array[], width: number, height: number): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let x = width;
  let y = height;
  for (let d = trace.length - 1; d > 0; d--) {
    // `furthest` before the d-th edit, starting at diagonal −d − 1
    const known = trace[d] ?? new Int32Array();
    const k = x - y;
    const of = (diagonal: number): number => at(known, diagonal + d + 1);
    const down = k === -d || (k !== d && of(k - 1) < of(k + 1));
    const beforeX = down ? of(k + 1) : of(k - 1);
    const beforeY = beforeX - (down ? k + 1 : k - 1);
    while (x > beforeX && y > beforeY) {
      x--;
      y--;
      rows.push({ kind: "same", before: x, after: y });
    }
    if (down) rows.push({ kind: "added", after: beforeY });
    else rows.push({ kind: "removed", before: beforeX });
    x = beforeX;
    y = beforeY;
  }
  while (x > 0 && y > 0) {
    x--;
    y--;
    rows.push({ kind: "same", before: x, after: y });
  }
  return removedFirst(rows.reverse());
}

/** Within a change, removed lines precede added lines. */
function removedFirst(rows: readonly DiffRow[]): readonly DiffRow[] {
  const ordered: DiffRow[] = [];
  let added: DiffRow[] = [];
  for (const row of rows) {
    if (row.kind === "added") {
      added.push(row);
      continue;
    }
    if (row.kind === "same") {
      ordered.push(...added);
      added = [];
    }
    ordered.push(row);
  }
  return [...ordered, ...added];
}

/** Returns the lengths of the common prefix and the common suffix of two lines. */
export function sameEnds(one: string, other: string): readonly [number, number] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  return [start, end];
}

export type SideRow = { readonly before: number | null; readonly after: number | null; readonly same: boolean };

/** Rows for side-by-side view: removed and added lines of a change are paired. */
export function sideBySide(rows: readonly DiffRow[]): readonly SideRow[] {
  const pairs: SideRow[] = [];
  let removed: number[] = [];
  let added: number[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      pairs.push({ before: removed[i] ?? null, after: added[i] ?? null, same: false });
    }
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "removed") removed.push(row.before);
    else if (row.kind === "added") added.push(row.after);
    else {
      flush();
      pairs.push({ before: row.before, after: row.after, same: true });
    }
  }
  flush();
  return pairs;
}
