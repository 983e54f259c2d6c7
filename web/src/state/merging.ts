// Merges changes into the known state: a board of 100,000 runs is loaded once and then only updated. Lists that did not
// change stay the same object, so that values derived from them are not recomputed.

import type { Runs, TagColumns } from "../api/client";
import { naturalPlace } from "../base/natural";

const RUN_COLUMNS = ["id", "start_time", "last_time", "duration", "state", "files", "faults", "slot"] as const;
type RunColumn = (typeof RUN_COLUMNS)[number];

/** `news` is a response to `since`: changed and new runs, sorted, and the names of removed runs. */
export function mergeRuns(known: Runs, news: Runs, rowOf: ReadonlyMap<string, number>): Runs {
  if (news.name.length === 0 && news.removed.length === 0) return { ...known, version: news.version };
  const gone = new Set(news.removed.filter((name) => rowOf.has(name)));
  const fresh = news.name.flatMap((name, row) => (rowOf.has(name) ? [] : [row]));
  const changed = news.name.flatMap((name, row) => {
    const at = rowOf.get(name);
    return at === undefined ? [] : [[at, row] as const];
  });
  const amended = amend(known, news, changed);
  if (fresh.length === 0 && gone.size === 0) return { ...amended, version: news.version };
  return { ...interleave(amended, news, fresh, gone), version: news.version, removed: [] };
}

function amend(known: Runs, news: Runs, changed: readonly (readonly [at: number, row: number])[]): Runs {
  const columns = RUN_COLUMNS.map((name) => {
    const before: readonly unknown[] = known[name];
    const values: readonly unknown[] = news[name];
    if (changed.every(([at, row]) => before[at] === values[row])) return [name, before] as const;
    const after = before.slice();
    for (const [at, row] of changed) after[at] = values[row];
    return [name, after] as const;
  });
  return { ...known, ...(Object.fromEntries(columns) as Pick<Runs, RunColumn>) };
}

/** Merges two sorted lists in one pass. */
function interleave(known: Runs, news: Runs, fresh: readonly number[], gone: ReadonlySet<string>): Runs {
  const places = mergedOrder(
    known.name,
    fresh.map((row) => news.name[row] ?? ""),
  );
  const kept = places.filter((place) => place < 0 || !gone.has(known.name[place] ?? ""));
  const gather = <T>(before: readonly T[], values: readonly T[]): readonly T[] =>
    kept.map((place) => (place >= 0 ? before[place] : values[fresh[-1 - place] ?? 0]) as T);
  const columns = RUN_COLUMNS.map((name) => [name, gather<unknown>(known[name], news[name])] as const);
  return {
    ...known,
    ...(Object.fromEntries(columns) as Pick<Runs, RunColumn>),
    name: gather(known.name, news.name),
    total: kept.length,
  };
}

/** Returns indices in `one` (from 0 up) and in `other` (-1, -2 …) in the order of the names. */
function mergedOrder(one: readonly string[], other: readonly string[]): readonly number[] {
  const order: number[] = [];
  let next = 0;
  other.forEach((name, at) => {
    const place = naturalPlace(one, name, next);
    while (next < place) order.push(next++);
    order.push(-1 - at);
  });
  while (next < one.length) order.push(next++);
  return order;
}

export type Kinds = Readonly<Record<string, TagColumns>>;

/** `news` has the tags that changed, each counted over all runs. It never removes tags. */
export function mergeTags(known: Kinds, news: Kinds): Kinds {
  let merged = known;
  for (const [kind, columns] of Object.entries(news)) {
    const before = known[kind];
    const after = before === undefined ? columns : mergeTagColumns(before, columns);
    if (after !== before) merged = { ...merged, [kind]: after };
  }
  return merged;
}

function mergeTagColumns(known: TagColumns, news: TagColumns): TagColumns {
  const rowOf = new Map(known.tag.map((tag, row) => [tag, row]));
  const fresh = news.tag.flatMap((tag, row) => (rowOf.has(tag) ? [] : [row]));
  const amended = known.runs.slice();
  let recounted = false;
  news.tag.forEach((tag, row) => {
    const at = rowOf.get(tag);
    const count = news.runs[row];
    if (at === undefined || count === undefined || amended[at] === count) return;
    amended[at] = count;
    recounted = true;
  });
  const described = mergeTexts(known, news);
  if (fresh.length === 0 && !recounted && described === known) return known;
  const runs = recounted ? amended : known.runs;
  if (fresh.length === 0) return { ...described, runs };
  const order = mergedOrder(
    known.tag,
    fresh.map((row) => news.tag[row] ?? ""),
  );
  const at = <T>(before: readonly T[], values: readonly T[]): readonly T[] =>
    order.map((place) => (place >= 0 ? before[place] : values[fresh[-1 - place] ?? 0]) as T);
  return { ...described, tag: at(known.tag, news.tag), runs: at(runs, news.runs) };
}

function mergeTexts(known: TagColumns, news: TagColumns): TagColumns {
  const display_name = mergeTextMap(known.display_name, news.display_name);
  const description = mergeTextMap(known.description, news.description);
  const plugin = mergeTextMap(known.plugin, news.plugin);
  const same = display_name === known.display_name && description === known.description && plugin === known.plugin;
  return same ? known : { ...known, display_name, description, plugin };
}

type Texts = Readonly<Record<string, string>>;

function mergeTextMap(known: Texts, news: Texts): Texts {
  return Object.entries(news).every(([tag, text]) => known[tag] === text) ? known : { ...known, ...news };
}

/** Replaces the tags by a complete response; equal parts stay the same object. */
export function settleKinds(known: Kinds, whole: Kinds): Kinds {
  const settled = Object.entries(whole).map(([kind, columns]) => {
    const before = known[kind];
    return [
      kind,
      before !== undefined && JSON.stringify(before) === JSON.stringify(columns) ? before : columns,
    ] as const;
  });
  const same =
    settled.length === Object.keys(known).length && settled.every(([kind, columns]) => known[kind] === columns);
  return same ? known : Object.fromEntries(settled);
}
