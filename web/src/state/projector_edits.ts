// Cells of the metadata that the reader changed, in this page only: the files of a run are never written.

import { computed, signal } from "@preact/signals";
import { cellsOfRow, columnNames, embeddingKey } from "./projector";

type Edits = Map<string, Map<number, string>>;

/** By embedding, then by column, then by row. */
const all = new Map<string, Edits>();
export const editsVersion = signal(0);

export function editCells(rows: Iterable<number>, column: string, value: string): void {
  const key = embeddingKey.peek();
  const edits: Edits = all.get(key) ?? new Map();
  const cells = edits.get(column) ?? new Map<number, string>();
  for (const row of rows) cells.set(row, value);
  edits.set(column, cells);
  all.set(key, edits);
  editsVersion.value += 1;
}

export function discardEdits(): void {
  all.delete(embeddingKey.peek());
  editsVersion.value += 1;
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

/** Those of the files, then those the reader made. */
export const allColumns = computed<readonly string[]>(() => {
  void editsVersion.value;
  const logged = columnNames.value;
  const made = [...(all.get(embeddingKey.value)?.keys() ?? [])].filter((name) => !logged.includes(name));
  return made.length === 0 ? logged : [...logged, ...made];
});

/** Undefined: not known yet. */
export function cellText(row: number, column: string): string | undefined {
  void editsVersion.value;
  const edited = editsOf(column).get(row);
  if (edited !== undefined) return edited;
  const cells = cellsOfRow(row);
  return cells === undefined ? undefined : (cells.get(column) ?? "");
}

/** A file of metadata with the edits in it. A file of one column without a name begins with its first value. */
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
