// Entries of the search palette, by group: actions, tags, runs, saved views. Names are prepared for searching once, not
// for every key.

import { computed } from "@preact/signals";
import { type Haystack, haystack, search } from "../base/fuzzy";
import { kinds } from "../state/board";
import { keyOfTag } from "../state/cards";
import { wantedCard } from "../state/layout";
import { allRuns, tickOnly } from "../state/runs";
import { openView, savedViews } from "../state/saved_views";
import { changeView, texts } from "../state/view";
import type { IconName } from "../widgets/icons";
import { type Action, actionsNow } from "./actions";
import { kindTabs } from "./kinds";
import { charts, type FoundChart } from "./palette_charts";
import { ranked, recallChoices } from "./palette_memory";

export type Group = "actions" | "tags" | "runs" | "views";

export type Entry = {
  readonly group: Group;
  /** It is listed above all groups, because it was chosen before. */
  readonly recent?: boolean;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly shortcut: string | undefined;
  readonly run: () => void;
  /** Runs with Ctrl or Cmd; the same as `run` if there is no other action. */
  readonly runOther: () => void;
};

const MOST: Readonly<Record<Group, number>> = { actions: 8, tags: 20, runs: 12, views: 6 };
/** Number of entries of each group before anything is typed. */
const MOST_AT_FIRST: Readonly<Record<Group, number>> = { actions: 7, tags: 5, runs: 5, views: 3 };

type Tag = { readonly tag: string; readonly kind: string; readonly runs: number };

const tags = computed<{ readonly rows: readonly Tag[]; readonly hay: Haystack }>(() => {
  // scalars first: of two equal names the chart is preferred
  const order = Object.entries(kinds.value).sort(([a], [b]) => Number(b === "scalars") - Number(a === "scalars"));
  const rows = order.flatMap(([kind, columns]) =>
    columns.tag.map((tag, row): Tag => ({ tag, kind, runs: columns.runs[row] ?? 0 })),
  );
  return { rows, hay: haystack(rows.map(({ tag }) => tag)) };
});

const runNames = computed(() => haystack(allRuns.value));

/** Name of an entry in the memory of the palette. */
export function keyOf({ group, label }: Entry): string {
  return `${group} ${label}`;
}

const MOST_RECENT = 5;

/** Returns entries that were chosen before and still exist. */
function recent(): readonly Entry[] {
  const entries: Entry[] = [];
  for (const key of ranked(recallChoices())) {
    if (entries.length === MOST_RECENT) break;
    const label = key.slice(key.indexOf(" ") + 1);
    const found = findIn[key.slice(0, key.indexOf(" "))]?.(label, MOST.tags) ?? [];
    const same = found.find(({ entry }) => entry.label === label);
    if (same !== undefined) entries.push({ ...same.entry, recent: true });
  }
  return entries;
}

const findIn: Readonly<Record<string, (query: string, limit: number) => readonly Found[]>> = {
  actions: findActions,
  tags: findTags,
  runs: findRuns,
  views: findViews,
};

export function find(query: string): readonly Entry[] {
  const first = query.trim() === "";
  const most = first ? MOST_AT_FIRST : MOST;
  const found = [
    findActions(query, most.actions),
    findTags(query, most.tags),
    findRuns(query, most.runs),
    findViews(query, most.views),
  ];
  // with a query, groups are ordered by their best match
  if (!first) found.sort((a, b) => (b[0]?.score ?? -1) - (a[0]?.score ?? -1));
  const entries = found.flat().map(({ entry }) => entry);
  if (!first) return entries;
  const above = recent();
  const known = new Set(above.map(keyOf));
  return [...above, ...entries.filter((entry) => !known.has(keyOf(entry)))];
}

type Found = { readonly entry: Entry; readonly score: number };

function findActions(query: string, limit: number): readonly Found[] {
  const actions = actionsNow();
  return search(haystack(actions.map(({ label }) => label)), query, limit).flatMap(({ row, score }) => {
    const action = actions[row];
    return action === undefined ? [] : [{ entry: actionEntry(action), score }];
  });
}

function actionEntry({ label, icon, shortcut, run }: Action): Entry {
  return { group: "actions", label, detail: "", icon, shortcut, run, runOther: run };
}

function findTags(query: string, limit: number): readonly Found[] {
  const { rows, hay } = tags.value;
  const found = search(hay, query, limit).flatMap(({ row, score }) => {
    const tag = rows[row];
    return tag === undefined ? [] : [{ entry: tagEntry(tag), score }];
  });
  const others = findCharts(query, limit);
  if (others.length === 0) return found;
  return [...found, ...others].sort((a, b) => b.score - a.score).slice(0, limit);
}

function findCharts(query: string, limit: number): readonly Found[] {
  const all = charts.value;
  if (query.trim() === "") return [];
  return search(haystack(all.map(({ title }) => title)), query, limit).flatMap(({ row, score }) => {
    const chart = all[row];
    return chart === undefined ? [] : [{ entry: chartEntry(chart), score }];
  });
}

function chartEntry({ key, title, page, place }: FoundChart): Entry {
  const run = (): void => {
    changeView({ page, of: [], full: "" }, { entry: true });
    wantedCard.value = key;
  };
  const runOther = (): void => changeView({ page, of: [], full: key }, { entry: true });
  return { group: "tags", label: title, detail: place, icon: "tag", shortcut: undefined, run, runOther };
}

function tagEntry({ tag, kind, runs }: Tag): Entry {
  const words = texts.value.shell;
  const tab = kindTabs.value.find((one) => one.kind === kind);
  const base = { group: "tags", label: tag, icon: "tag", shortcut: undefined } as const;
  if (kind === "scalars") {
    const key = keyOfTag(tag);
    const jump = (): void => {
      changeView({ page: "timeseries", of: [], full: "" }, { entry: true });
      wantedCard.value = key;
    };
    const fill = (): void => changeView({ page: "timeseries", of: [], full: key }, { entry: true });
    return { ...base, detail: words.inRuns(runs), run: jump, runOther: fill };
  }
  const open = (): void => changeView({ page: tab?.page ?? kind, of: [], tagFilter: tag, full: "" }, { entry: true });
  return { ...base, detail: `${tab?.label ?? kind} · ${words.inRuns(runs)}`, run: open, runOther: open };
}

function findRuns(query: string, limit: number): readonly Found[] {
  return search(runNames.value, query, limit).flatMap(({ row, score }) => {
    const name = allRuns.value[row];
    if (name === undefined) return [];
    const run = (): void => changeView({ page: "run", of: [name], full: "" }, { entry: true });
    const runOther = (): void => tickOnly([name]);
    return [
      {
        score,
        entry: { group: "runs", label: name, detail: "", icon: "play", shortcut: undefined, run, runOther } as const,
      },
    ];
  });
}

function findViews(query: string, limit: number): readonly Found[] {
  const views = savedViews.value ?? [];
  return search(haystack(views.map(({ name }) => name)), query, limit).flatMap(({ row, score }) => {
    const saved = views[row];
    if (saved === undefined) return [];
    const run = (): void => openView(saved);
    const base = { group: "views", label: saved.name, detail: saved.description, icon: "star" } as const;
    return [{ score, entry: { ...base, shortcut: undefined, run, runOther: run } }];
  });
}
