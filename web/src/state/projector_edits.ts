// Metadata cells that the user edited, in this page only: the files of a run are never written.

import { batch, computed, signal } from "@preact/signals";
import { compilePattern } from "../base/pattern";
import { allColumns, cellsOfRow, columnNames, columnsMade, embeddingKey } from "./projector";
import { rowSet } from "./projector_rows";

type Edits = Map<string, Map<number, string>>;

/** Edits by embedding, then by column, then by row. */
const all = new Map<string, Edits>();
export const editsVersion = signal(0);

export function editCells(rows: Iterable<number>, column: string, value: string): void {
  const key = embeddingKey.peek();
  const edits: Edits = all.get(key) ?? new Map();
  const cells = edits.get(column) ?? new Map<number, string>();
  for (const row of rows) cells.set(row, value);
  edits.set(column, cells);
  all.set(key, edits);
  tellColumns(key);
}

function tellColumns(key: string): void {
  batch(() => {
    columnsMade.value = new Map(columnsMade.peek()).set(key, [...(all.get(key)?.keys() ?? [])]);
    editsVersion.value += 1;
  });
}

export function discardEdits(): void {
  all.delete(embeddingKey.peek());
  tellColumns(embeddingKey.peek());
}

const NONE: ReadonlyMap<number, string> = new Map();

export function editsOf(column: string): ReadonlyMap<number, string> {
  return all.get(embeddingKey.peek())?.get(column) ?? NONE;
}

export const editCount = computed(() => {
  void editsVersion.value;
  let count = 0;
  for (const cells of all.get(embeddingKey.value)?.values() ?? []) count += cells.size;
  return count;
});

/** Returns undefined if the cell is not loaded yet. */
export function cellText(row: number, column: string): string | undefined {
  void editsVersion.value;
  const edited = editsOf(column).get(row);
  if (edited !== undefined) return edited;
  const cells = cellsOfRow(row);
  if (cells === undefined) return columnNames.value.includes(column) ? undefined : "";
  return cells.get(column) ?? "";
}

/** Returns the rows that a search finds with the edits applied: `rows` are the matches in the files. */
export function foundWithEdits(
  rows: Uint32Array,
  column: string,
  { text, regex }: { readonly text: string; readonly regex: boolean },
): Uint32Array {
  void editsVersion.value;
  const edits = editsOf(column);
  if (edits.size === 0) return rows;
  const matches = matcher(text, regex);
  const changed = [...edits].filter(([, value]) => matches(value)).map(([row]) => row);
  return rowSet(
    rows.filter((row) => !edits.has(row)),
    changed,
  );
}

function matcher(text: string, regex: boolean): (value: string) => boolean {
  if (!regex) return (value) => value.toLowerCase().includes(text.toLowerCase());
  const pattern = compilePattern(text);
  // the server reports the error in the pattern
  return typeof pattern === "string" ? () => false : pattern.test;
}

/** Returns a metadata file with the edits applied. A file with one unnamed column has no header line. */
export function editedFile(text: string): string {
  const lines = text.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  const logged = columnNames.peek();
  const edits = all.get(embeddingKey.peek()) ?? new Map<string, Map<number, string>>();
  const columns = allColumns.peek();
  const named = logged.length > 1;
  const body = (named ? lines.slice(1) : lines).map((line) => line.split("\t"));
  for (const [name, cells] of edits) {
    const at = columns.indexOf(name);
    for (const [row, value] of cells) {
      const line = body[row];
      if (line === undefined) continue;
      while (line.length <= at) line.push("");
      line[at] = value.replace(/[\t\n\r]+/g, " ");
    }
  }
  for (const line of body) while (line.length < columns.length) line.push("");
  const head = columns.length > 1 ? [columns.join("\t")] : [];
  return `${[...head, ...body.map((line) => line.join("\t"))].join("\n")}\n`;
}
