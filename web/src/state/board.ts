// What the server has told us. `refresh` is the only writer; everything shown is derived from these signals.

import { computed, signal } from "@preact/signals";
import { ApiError, fetchBoard, fetchRuns, fetchTags, listen } from "../api/client";
import type { Board, Kind, Run } from "../api/shapes";
import { nameFilter } from "../base/name_filter";
import { coalesced, newestGate } from "../base/newest";
import { view } from "./view";

export type Problem = { readonly kind: "refused" | "unreachable" | "other"; readonly reason: string };

/** Everything one refresh brings. Null until the first answer. */
export type Content = { readonly board: Board; readonly runs: readonly Run[]; readonly kinds: readonly Kind[] };

export const content = signal<Content | null>(null);
/** Why the newest refresh failed; null when it did not. Content of an earlier one stays visible meanwhile. */
export const problem = signal<Problem | null>(null);
/** Null before the first connection. */
export const connected = signal<boolean | null>(null);

export const runFilter = computed(() => nameFilter(view.value.runFilter));
export const tagFilter = computed(() => nameFilter(view.value.tagFilter));

export const shownRuns = computed(() => (content.value?.runs ?? []).filter((run) => runFilter.value.matches(run.name)));

export type TagRow =
  | { readonly row: "kind"; readonly kind: string; readonly size: number }
  | { readonly row: "tag"; readonly kind: string; readonly tag: string; readonly runs: number };

/** One flat list, a heading per kind, so that a virtual list can show it. */
export const shownTags = computed<readonly TagRow[]>(() => {
  const rows: TagRow[] = [];
  for (const kind of content.value?.kinds ?? []) {
    const tags = kind.tags.filter((tag) => tagFilter.value.matches(tag.name));
    if (tags.length > 0) rows.push({ row: "kind", kind: kind.name, size: tags.length });
    for (const tag of tags) rows.push({ row: "tag", kind: kind.name, tag: tag.name, runs: tag.runs });
  }
  return rows;
});

const gate = newestGate();

function asProblem(error: unknown): Problem {
  if (error instanceof ApiError) {
    return { kind: error.status === 401 || error.status === 403 ? "refused" : "other", reason: error.message };
  }
  // what fetch throws when the server is not there
  if (error instanceof TypeError) return { kind: "unreachable", reason: error.message };
  return { kind: "other", reason: error instanceof Error ? error.message : String(error) };
}

async function load(): Promise<Content | Problem> {
  try {
    const [board, runs, kinds] = await Promise.all([fetchBoard(), fetchRuns(), fetchTags()]);
    return { board, runs, kinds };
  } catch (error) {
    return asProblem(error);
  }
}

export async function refresh(): Promise<void> {
  const { newest, answer } = await gate(load());
  if (!newest) return;
  if ("board" in answer) {
    content.value = answer;
    problem.value = null;
  } else {
    problem.value = answer;
  }
}

// A busy training run flushes many times a second; asking that often would show nothing more.
const REFRESH_DELAY_MS = 250;

/** Load the board and keep it fresh for as long as the page is open. */
export function follow(): void {
  void refresh();
  listen({
    onChange: coalesced(() => void refresh(), REFRESH_DELAY_MS),
    onConnection: (open) => {
      connected.value = open;
    },
  });
}
