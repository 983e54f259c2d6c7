// Embeddings of the board: the list, the shown one, its columns and the cells of its rows.

import { computed, signal } from "@preact/signals";
import {
  type ColumnHeader,
  type Embedding as Described,
  type Explanation,
  fetchEmbedding,
  fetchFile,
  fetchProjector,
  fetchProjectorColumn,
  fetchProjectorRows,
  metadataFile,
} from "../api/client";
import { decodeFrame } from "../base/frame";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";
import { explanationOf } from "./explained";
import { changeView, member } from "./view";

/** An embedding with its counts; they are 0 if it could not be read. */
export type Embedding = Omit<Described, "rows" | "dims"> & { readonly rows: number; readonly dims: number };

/** Embeddings of the logs; null before the first response. */
const logged = signal<readonly Embedding[] | null>(null);
/** Embeddings uploaded by the user; they are lost when the page is closed. */
export const brought = signal<readonly Embedding[]>([]);
/** Metadata files of the uploaded embeddings, by name. */
export const broughtMetadata = new Map<string, File>();
export const embeddingsProblem = signal<Problem | null>(null);
/** Configurations that could not be read completely. */
export const configProblems = signal<readonly Explanation[]>([]);

export const embeddings = computed<readonly Embedding[] | null>(() =>
  logged.value === null ? null : [...brought.value, ...logged.value],
);

const gate = newestGate();

async function ask(): Promise<void> {
  const { newest, answer } = await gate(fetchProjector().catch((error: unknown) => asProblem(error)));
  if (!newest) return;
  if (!("embeddings" in answer)) {
    embeddingsProblem.value = answer;
    return;
  }
  embeddingsProblem.value = null;
  configProblems.value = answer.problems;
  const counted = await Promise.all(answer.embeddings.map(count));
  // an equal list must not start another layout
  if (JSON.stringify(counted) !== JSON.stringify(logged.peek())) logged.value = counted;
}

/** Files that are too large to be counted for the list are counted one by one. */
async function count(one: Described): Promise<Embedding> {
  if ((one.rows !== null && one.dims !== null) || one.problem !== null) return settled(one);
  return fetchEmbedding({ run: one.run, name: one.name }).then(settled, (error: unknown) => ({
    ...settled(one),
    problem: explanationOf(error),
  }));
}

export function settled(one: Described): Embedding {
  return { ...one, rows: one.rows ?? 0, dims: one.dims ?? 0 };
}

export function retryEmbeddings(): void {
  embeddingsProblem.value = null;
  void ask();
}

const LIVE_MS = 1000;

/** Updates the list while the page is open. Returns a function that stops. */
export function followEmbeddings(): () => void {
  void ask();
  const live = coalesced(() => void ask(), LIVE_MS);
  return onChange(({ tags }) => {
    if (tags.projector !== undefined) live();
  });
}

const runChosen = member("projectorRun");
const tensorChosen = member("projectorTensor");

export const isUsable = (one: Embedding): boolean => one.problem === null && one.rows > 0;

/** The shown embedding: the selected one, or the first that can be shown, or the first. */
export const embedding = computed<Embedding | null>(() => {
  const all = embeddings.value ?? [];
  const [run, name] = [runChosen.value, tensorChosen.value];
  const chosen = all.find((one) => one.run === run && one.name === name);
  if (chosen !== undefined) return chosen;
  const ofRun = run === "" ? [] : all.filter((one) => one.run === run);
  return ofRun.find(isUsable) ?? ofRun[0] ?? all.find(isUsable) ?? all[0] ?? null;
});

/** Key of the shown embedding: state of one embedding is stored under it. */
export const embeddingKey = computed(() => {
  const one = embedding.value;
  return one === null ? "" : keyOf(one);
});

export function keyOf({ run, name, rows, dims }: Embedding): string {
  return JSON.stringify([run, name, rows, dims]);
}

/** Selects another embedding and resets the choices that belong to the old points. */
export function chooseEmbedding({ run, name }: Pick<Embedding, "run" | "name">): void {
  changeView({
    projectorRun: run,
    projectorTensor: name,
    projectorPoint: -1,
    projectorSelected: "",
    projectorOnly: [],
    projectorSearch: "",
    projectorLabelBy: "",
    projectorColorBy: "",
    projectorSearchBy: "",
    projectorSuperviseBy: "",
    projectorAxes: null,
    projectorCamera: null,
  });
}

export const columnNames = computed<readonly string[]>(() => embedding.value?.metadata?.columns ?? []);

/** Columns that the user added, by embedding. */
export const columnsMade = signal<ReadonlyMap<string, readonly string[]>>(new Map());

/** Columns of the files, then those that the user added. */
export const allColumns = computed<readonly string[]>(() => {
  const logged = columnNames.value;
  const made = (columnsMade.value.get(embeddingKey.value) ?? []).filter((name) => !logged.includes(name));
  return made.length === 0 ? logged : [...logged, ...made];
});

const labelChosen = member("projectorLabelBy");
const searchChosen = member("projectorSearchBy");

/** The column with the names of points; "" if there is no metadata. */
export const labelColumn = computed(() => present(labelChosen.value) ?? allColumns.value[0] ?? "");
export const searchColumn = computed(() => present(searchChosen.value) ?? labelColumn.value);

function present(name: string): string | null {
  return allColumns.value.includes(name) ? name : null;
}

// ---- columns

export type Column = {
  readonly header: ColumnHeader;
  readonly codes: Int32Array;
  readonly numbers: Float64Array | Float32Array | null;
};

const columns = new Map<string, Promise<Column>>();
const MOST_COLUMNS = 8;

export function loadColumn(of: Embedding, column: string): Promise<Column> {
  const key = `${keyOf(of)} ${column}`;
  const known = columns.get(key);
  if (known !== undefined) return known;
  const asked = fetchProjectorColumn({ run: of.run, name: of.name, column }).then(columnIn);
  columns.set(key, asked);
  asked.catch(() => columns.delete(key));
  for (const old of columns.keys()) {
    if (columns.size <= MOST_COLUMNS) break;
    columns.delete(old);
  }
  return asked;
}

function columnIn(frame: ArrayBuffer): Column {
  const { header, arrays } = decodeFrame<ColumnHeader>(frame);
  const numbers = arrays.get("numbers");
  return {
    header,
    codes: (arrays.get("codes") as Int32Array | undefined) ?? new Int32Array(),
    numbers: numbers instanceof Float64Array || numbers instanceof Float32Array ? numbers : null,
  };
}

// ---- images

/** Loads the sprite with an image for each row; null if there is none. */
export async function loadSheet({ sprite }: Embedding, signal: AbortSignal): Promise<ImageBitmap | null> {
  if (sprite === null) return null;
  return createImageBitmap(await fetchFile(sprite.address, { signal }));
}

/** Loads the whole metadata file, as it was written. */
export async function loadMetadata({ run, name }: Embedding): Promise<string> {
  const own = brought.peek().some((one) => one.run === run && one.name === name)
    ? broughtMetadata.get(name)
    : undefined;
  if (own !== undefined) return own.text();
  return (await fetchFile(metadataFile({ run, name }))).text();
}

// ---- cells of rows

type Cells = ReadonlyMap<string, string>;

const MOST_ROWS = 20_000;
let cellsOf = "";
const cells = new Map<number, Cells>();
let waiting = new Set<number>();
/** Incremented when cells have been loaded. */
export const cellsVersion = signal(0);

function keepFor(key: string): void {
  if (cellsOf === key) return;
  cellsOf = key;
  cells.clear();
  waiting = new Set();
}

/** Undefined: not loaded yet; request it with `wantRows`. */
export function cellsOfRow(row: number): Cells | undefined {
  void cellsVersion.value;
  return cellsOf === embeddingKey.peek() ? cells.get(row) : undefined;
}

const askSoon = coalesced(() => void askRows(), 12);

export function wantRows(rows: Iterable<number>): void {
  const of = embedding.peek();
  if (of?.metadata === null || of === null) return;
  keepFor(keyOf(of));
  let any = false;
  for (const row of rows) {
    if (cells.has(row) || row < 0 || row >= of.rows) continue;
    waiting.add(row);
    any = true;
  }
  if (any) askSoon();
}

async function askRows(): Promise<void> {
  const of = embedding.peek();
  if (of === null || waiting.size === 0 || cellsOf !== keyOf(of)) return;
  const rows = [...waiting].slice(0, 2000);
  for (const row of rows) waiting.delete(row);
  try {
    const answer = await fetchProjectorRows({ run: of.run, name: of.name, rows });
    if (cellsOf !== keyOf(of)) return;
    if (cells.size > MOST_ROWS) cells.clear();
    rows.forEach((row, at) => {
      const texts = answer.rows[at] ?? [];
      cells.set(row, new Map(answer.columns.map((column, place) => [column, texts[place] ?? ""])));
    });
    cellsVersion.value += 1;
  } catch {
    // errors are ignored: cells are requested again when they are needed again
  }
  if (waiting.size > 0) askSoon();
}
