// Columns of run lists and tables, by key, and their values. Hparams and the first, last, lowest and highest values are
// loaded from the server when a column that is shown or sorted by needs them, and again when they have changed.
//
//   state name labels note start last_time duration files faults     facts and annotations
//   hparam:NAME      first:TAG  last:TAG  min:TAG  max:TAG           hparams and metrics

import { computed, effect, signal } from "@preact/signals";
import { type Cells, fetchHparams, fetchTable, type Hparams } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { remarksOf } from "./annotations";
import { kinds, onChange, runs } from "./board";
import { factsOf } from "./run_facts";
import { splitColumn } from "./run_filter";
import { member } from "./view";

export type Cell = string | number | boolean | null;

export const METRICS = ["last", "min", "max", "first"] as const;
export type Metric = (typeof METRICS)[number];
export const FACTS = ["state", "labels", "note", "start", "last_time", "duration", "files", "faults"] as const;

export function metricOf(column: string): { readonly of: Metric; readonly tag: string } | null {
  const [kind, tag] = splitColumn(column);
  const of = METRICS.find((metric) => metric === kind);
  return of === undefined ? null : { of, tag };
}

export function hparamOf(column: string): string | null {
  const [kind, name] = splitColumn(column);
  return kind === "hparam" ? name : null;
}

// ---- which columns are needed

const runColumns = member("runColumns");
const runSort = member("runSort");
const colorBy = member("colorBy");
const group = member("group");

export function sortColumn(sort: string): { readonly column: string; readonly down: boolean } {
  return sort.startsWith("-") ? { column: sort.slice(1), down: true } : { column: sort, down: false };
}

/** Columns that an open page or dialog shows, in addition to those of the view. */
export const pageColumns = signal<readonly string[]>([]);
/** Number of open pages and dialogs that list hparams. */
const listing = signal(0);

/** Keeps all hparams loaded until the returned function is called. */
export function wantHparams(): () => void {
  listing.value = listing.peek() + 1;
  return () => {
    listing.value = listing.peek() - 1;
  };
}

const needed = computed<readonly string[]>(() => [
  ...runColumns.value,
  ...pageColumns.value,
  ...runSort.value.map((sort) => sortColumn(sort).column),
]);

const needsHparams = computed(
  () =>
    listing.value > 0 ||
    colorBy.value.startsWith("hparam:") ||
    group.value.startsWith("hparam:") ||
    needed.value.some((column) => hparamOf(column) !== null),
);

/** Tags whose values are needed, as one string, so that equal sets are equal values. */
const neededTags = computed(() =>
  JSON.stringify([...new Set(needed.value.flatMap((column) => metricOf(column)?.tag ?? []))].sort()),
);

// ---- hparams

export const hparams = signal<Hparams | null>(null);
const hparamsGate = newestGate();

async function loadHparams(): Promise<void> {
  const { newest, answer } = await hparamsGate(fetchHparams({ limit: 100_000 }).catch(() => null));
  if (newest && answer !== null) hparams.value = answer;
}

const rowOfHparams = computed<ReadonlyMap<string, number>>(
  () => new Map((hparams.value?.run ?? []).map((name, row) => [name, row])),
);

export function hparamValue(run: string, name: string): Cell {
  const row = rowOfHparams.value.get(run);
  return row === undefined ? null : (hparams.value?.columns[name]?.[row] ?? null);
}

// ---- values of metrics

type TagValues = { readonly rows: ReadonlyMap<string, number>; readonly cells: Cells };
const values = signal<ReadonlyMap<string, TagValues>>(new Map());

// the server allows this many tags per request
const TAGS_AT_ONCE = 50;

async function loadTags(tags: readonly string[]): Promise<void> {
  for (let at = 0; at < tags.length; at += TAGS_AT_ONCE) {
    const some = tags.slice(at, at + TAGS_AT_ONCE);
    const table = await fetchTable({ tag: some }).catch(() => null);
    if (table === null) return;
    const rows = new Map(table.run.map((name, row) => [name, row]));
    const next = new Map(values.peek());
    for (const tag of some) {
      const cells = table.tags[tag];
      if (cells !== undefined) next.set(tag, { rows, cells });
    }
    values.value = next;
  }
}

const asked = new Set<string>();
effect(() => {
  const tags = (JSON.parse(neededTags.value) as readonly string[]).filter((tag) => !asked.has(tag));
  if (tags.length === 0 || runs.value === null) return;
  for (const tag of tags) asked.add(tag);
  void loadTags(tags);
});

effect(() => {
  if (needsHparams.value && hparams.peek() === null && runs.value !== null) void loadHparams();
});

// ---- keeping them fresh

const FRESH_MS = 2000;
const stale = new Set<string>();

const reload = coalesced(() => {
  const tags = [...stale].filter((tag) => asked.has(tag));
  stale.clear();
  if (tags.length > 0) void loadTags(tags);
}, FRESH_MS);
const reloadHparams = coalesced(() => {
  if (needsHparams.peek()) void loadHparams();
  else hparams.value = null;
}, FRESH_MS);

onChange((change) => {
  const changed = change.tags.scalars;
  if (changed !== undefined) {
    for (const tag of changed === "all" ? asked : changed) if (asked.has(tag)) stale.add(tag);
    if (stale.size > 0) reload();
  }
  if (hparams.peek() !== null && change.runs.length > 0) reloadHparams();
});

// ---- cells

function metricValue(run: string, tag: string, of: Metric): Cell {
  const found = values.value.get(tag);
  const row = found?.rows.get(run);
  if (found === undefined || row === undefined) return null;
  const value = found.cells[of][row] ?? null;
  // JSON has "NaN" and the infinities as strings
  return typeof value === "string" ? Number(value.replace("Infinity", "1e999")) : value;
}

function factOf(run: string, column: string): Cell {
  if (column === "labels") return remarksOf(run).tags?.join(", ") ?? null;
  if (column === "note") return remarksOf(run).note ?? null;
  const facts = factsOf(run);
  if (column === "start") return facts.start;
  if (column === "last_time") return facts.last;
  if (column === "duration") return facts.duration;
  if (column === "files") return facts.files;
  if (column === "faults") return facts.faults;
  return column === "state" ? facts.state : null;
}

/** Returns a reader for one column: faster than resolving the column for each cell. */
export function cellsOf(column: string): (run: string) => Cell {
  const metric = metricOf(column);
  if (metric !== null) return (run) => metricValue(run, metric.tag, metric.of);
  const hparam = hparamOf(column);
  if (hparam !== null) return (run) => hparamValue(run, hparam);
  return (run) => factOf(run, column);
}

/** Returns true if cells are numbers that can be compared with a baseline and shaded. */
export function isNumeric(column: string): boolean {
  if (metricOf(column) !== null) return true;
  const hparam = hparamOf(column);
  if (hparam === null) return column === "duration" || column === "files" || column === "faults";
  const at = hparams.value?.names.indexOf(hparam) ?? -1;
  return hparams.value?.kinds[at] === "number";
}

/** Metrics of the machine, which `lightboard.init` logs. */
export function isSystemMetric(tag: string): boolean {
  return tag.startsWith("system/");
}

export const scalarTags = computed<readonly string[]>(() => kinds.value.scalars?.tag ?? []);

/** The hparams in which runs differ. */
export const differingHparams = computed<readonly string[]>(
  () => hparams.value?.names.filter((_, at) => hparams.value?.differs[at]) ?? [],
);

/** First the hparams in which runs differ, then the others, each in natural order. */
export const hparamNames = computed<readonly string[]>(() => {
  const known = hparams.value;
  if (known === null) return [];
  return [...differingHparams.value, ...known.names.filter((_, at) => !known.differs[at])];
});
