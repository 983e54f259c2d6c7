// The marked points: one with its neighbors, those in a box, or those that a search finds; and the points that are
// shown alone.

import { computed, effect, signal } from "@preact/signals";
import { fetchNeighbors } from "../api/client";
import { decodeFrame } from "../base/frame";
import { asProblem, type Problem } from "./board";
import { embedding, isUsable, searchColumn } from "./projector";
import { followOnly, only, onlyPending, searched, showOnly, within } from "./projector_only";
import { inBoth, rowSet, rowsOf, shorten } from "./projector_rows";
import { changeView, member } from "./view";

const NONE = new Uint32Array();

export type Neighbors = { readonly rows: readonly number[]; readonly distances: readonly number[] };

const listIn = (frame: ArrayBuffer, name: string): readonly number[] =>
  [...(decodeFrame(frame).arrays.get(name) ?? [])].map(Number);

const pointChosen = member("projectorPoint");
const selectedText = member("projectorSelected");
const search = member("projectorSearch");
const count = member("projectorCount");
const distance = member("projectorDistance");

const rows = computed(() => embedding.value?.rows ?? 0);

/** The point whose neighbors are shown; -1 for none. */
export const point = computed(() => (pointChosen.value < rows.value ? pointChosen.value : -1));

const foundInAll = signal<Uint32Array | null>(null);
/** The matches of the search among the shown points; null: no search, or no response yet. */
export const found = computed<Uint32Array | null>(() =>
  foundInAll.value === null ? null : inBoth(foundInAll.value, only.value),
);
export const searchProblem = signal<Problem | null>(null);
export const searching = signal(false);

export const neighbors = signal<Neighbors | null>(null);
export const neighborsProblem = signal<Problem | null>(null);

/** Marked points, without neighbors. */
export const selected = computed<Uint32Array>(() => {
  if (point.value >= 0) return Uint32Array.of(point.value);
  if (selectedText.value !== "") return inBoth(rowsOf(selectedText.value, rows.value), only.value);
  return search.value === "" ? NONE : (found.value ?? NONE);
});

export const neighborRows = computed<Uint32Array>(() =>
  point.value < 0 ? NONE : Uint32Array.from(neighbors.value?.rows ?? []),
);

export const marked = computed<Uint32Array>(() => rowSet(selected.value, neighborRows.value));

// ---- choosing

export function selectPoint(row: number): void {
  changeView({ projectorPoint: row, ...(row < 0 ? {} : { projectorSelected: "" }) }, { apart: true });
}

/** Selects rows; returns true if a link can contain all of them. */
export function selectRows(chosen: Uint32Array): boolean {
  const { text, whole } = shorten(chosen);
  changeView({ projectorPoint: -1, projectorSelected: text, projectorSearch: "" }, { apart: true });
  return whole;
}

export function clearSelection(): void {
  changeView({ projectorPoint: -1, projectorSelected: "", projectorSearch: "" }, { apart: true });
}

/** Shows only the marked points; returns true if a link can contain all of them. */
export function isolate(): boolean {
  const chosen = marked.peek();
  if (chosen.length === 0) return true;
  if (point.peek() >= 0) {
    const rule = { row: point.peek(), count: count.peek(), distance: distance.peek() } as const;
    showOnly({ kind: "near", ...rule }, chosen);
    return true;
  }
  if (selectedText.peek() === "") {
    showOnly({ kind: "find", by: searchColumn.peek(), text: search.peek() }, chosen);
    return true;
  }
  const { text, whole } = shorten(chosen);
  showOnly({ kind: "rows", rows: text }, chosen);
  return whole;
}

// ---- requests

const TYPING_MS = 140;

function followSearch(): () => void {
  return effect(() => {
    const of = embedding.value;
    const [text, column] = [search.value, searchColumn.value];
    searchProblem.value = null;
    if (of === null || !isUsable(of) || text === "" || column === "") {
      foundInAll.value = null;
      searching.value = false;
      return;
    }
    searching.value = true;
    const giveUp = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await searched(of, column, text, giveUp.signal);
        if (!giveUp.signal.aborted) foundInAll.value = answer;
      } catch (error) {
        if (giveUp.signal.aborted) return;
        searchProblem.value = asProblem(error);
        foundInAll.value = null;
      }
      searching.value = false;
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      giveUp.abort();
    };
  });
}

function followNeighbors(): () => void {
  return effect(() => {
    const of = embedding.value;
    const row = point.value;
    const shown = only.value;
    const [most, how] = [count.value, distance.value];
    neighborsProblem.value = null;
    if (of === null || !isUsable(of) || row < 0) {
      neighbors.value = null;
      return;
    }
    if (onlyPending.value) return;
    const asked = { row, count: most, distance: how, ...within(shown, of.rows) };
    const giveUp = new AbortController();
    fetchNeighbors({ run: of.run, name: of.name, ...asked }, { signal: giveUp.signal }).then(
      (answer) => {
        if (giveUp.signal.aborted) return;
        neighbors.value = { rows: listIn(answer, "rows"), distances: listIn(answer, "distances") };
      },
      (error: unknown) => {
        if (giveUp.signal.aborted) return;
        neighbors.value = null;
        neighborsProblem.value = asProblem(error);
      },
    );
    return () => giveUp.abort();
  });
}

/** Updates searches and neighbors while the page is open. Returns a function that stops. */
export function followSelection(): () => void {
  const stops = [followOnly(), followSearch(), followNeighbors()];
  return () => {
    for (const stop of stops) stop();
  };
}
