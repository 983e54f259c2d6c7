// Restricts the shown points by rules: the matches of a search, a point with its nearest neighbors, or row numbers. The
// server evaluates rules; results are cached, also those that were on screen when the user applied them.

import { batch, computed, effect, signal } from "@preact/signals";
import { fetchNeighbors, searchRows } from "../api/client";
import { decodeFrame } from "../base/frame";
import { asProblem, type Problem } from "./board";
import { formatRules, type ProjectorCamera, type ProjectorRule } from "./members/projector";
import { allColumns, columnNames, type Embedding, embedding, embeddingKey, isUsable } from "./projector";
import { foundWithEdits } from "./projector_edits";
import { asRows, inBoth, isPart, rowSet, rowsOf } from "./projector_rows";
import { changeView, member, view } from "./view";

const rules = member("projectorOnly");

/** Only these points are shown; null: all. */
export const only = signal<Uint32Array | null>(null);
/** The rules that `only` was computed from, as text; "" for all points. */
export const onlyKey = signal("");
export const onlyProblem = signal<Problem | null>(null);

const wanted = computed(() => formatRules(rules.value));
/** Includes the embedding: the same rule finds other points in other data. */
const wantedOf = computed(() => `${embeddingKey.value} ${wanted.value}`);
const settledOf = signal("");

/** True while the current rules are not evaluated yet. */
export const onlyPending = computed(() => wantedOf.value !== settledOf.value);

/** True if the link was too short to contain all points. */
export const onlyPart = computed(() => rules.value.some((rule) => rule.kind === "rows" && isPart(rule.rows)));

const known = new Map<string, Uint32Array>();
const MOST_KNOWN = 24;

function remember(key: string, rows: Uint32Array): void {
  known.delete(key);
  known.set(key, rows);
  for (const old of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(old);
  }
}

/** Returns the row numbers of a response, starting at 0, sorted. */
export function rowsIn(frame: ArrayBuffer): Uint32Array {
  const rows = decodeFrame(frame).arrays.get("rows");
  return rows === undefined ? new Uint32Array() : new Uint32Array(rows.buffer, rows.byteOffset, rows.length);
}

/** "/a.*z/" is a regular expression, anything else plain text. */
export function searchTerms(text: string): { readonly text: string; readonly regex: boolean } {
  const [, pattern] = /^\/(.+)\/$/s.exec(text) ?? [];
  return { text: pattern ?? text, regex: pattern !== undefined };
}

/** Returns the rows with a text in a column, including edited cells. */
export async function searched(of: Embedding, column: string, text: string, signal: AbortSignal): Promise<Uint32Array> {
  const terms = searchTerms(text);
  const made = !columnNames.peek().includes(column) && allColumns.peek().includes(column);
  const asked = { run: of.run, name: of.name, column, ...terms };
  return foundWithEdits(made ? new Uint32Array() : rowsIn(await searchRows(asked, { signal })), column, terms);
}

/** Returns the part of the request that restricts the search for neighbors to the shown points. */
export function within(
  shown: Uint32Array | null,
  total: number,
): { readonly within?: number[]; readonly mask?: string } {
  const { rows, mask } = asRows(shown, total);
  return rows === undefined ? (mask === undefined ? {} : { mask }) : { within: rows };
}

type Ask = (of: Embedding, rule: ProjectorRule, before: Uint32Array | null) => Promise<Uint32Array> | Uint32Array;

function asking(signal: AbortSignal): Ask {
  return async (of, rule, before) => {
    const { run, name, rows } = of;
    if (rule.kind === "rows") return inBoth(rowsOf(rule.rows, rows), before);
    if (rule.kind === "find") {
      return inBoth(await searched(of, rule.by, rule.text, signal), before);
    }
    const { row, count, distance } = rule;
    if (row >= rows) return new Uint32Array();
    const near = await fetchNeighbors({ run, name, row, count, distance, ...within(before, rows) }, { signal });
    return inBoth(rowSet([row], rowsIn(near)), before);
  };
}

/** Updates `only` while the page is open. Returns a function that stops. */
export function followOnly(): () => void {
  return effect(() => {
    const of = embedding.value;
    const [text, key] = [wanted.value, wantedOf.value];
    const chosen = rules.peek();
    const settle = (rows: Uint32Array | null, problem: Problem | null = null): void =>
      batch(() => {
        only.value = rows;
        onlyKey.value = rows === null ? "" : text;
        settledOf.value = key;
        onlyProblem.value = problem;
      });
    if (of === null || !isUsable(of)) return;
    if (text === "") return settle(null);
    const [first] = chosen;
    const found = known.get(key);
    if (found !== undefined) return settle(found);
    if (first?.kind === "rows" && chosen.length === 1) return settle(rowsOf(first.rows, of.rows));
    const giveUp = new AbortController();
    const ask = asking(giveUp.signal);
    const answer = async (): Promise<void> => {
      try {
        let rows: Uint32Array | null = null;
        for (const rule of chosen) rows = await ask(of, rule, rows);
        if (giveUp.signal.aborted) return;
        if (rows !== null) remember(key, rows);
        settle(rows);
      } catch (error) {
        // an old link may name a column that no longer exists: show all points instead of none
        if (!giveUp.signal.aborted) settle(null, asProblem(error));
      }
    };
    void answer();
    return () => giveUp.abort();
  });
}

// ---- choosing

let cameraBefore: ProjectorCamera | null = null;

/** Shows only `rows`, the result of `rule` on the points that are shown now. */
export function showOnly(rule: ProjectorRule, rows: Uint32Array): void {
  const before = rule.kind === "rows" ? [] : rules.peek();
  const next = [...before, rule];
  remember(`${embeddingKey.peek()} ${formatRules(next)}`, rows);
  if (rules.peek().length === 0) cameraBefore = view.peek().projectorCamera;
  // a list of rows need not be in the URL twice
  const selection = rule.kind === "rows" ? { projectorSelected: "" } : {};
  changeView({ projectorOnly: next, projectorCamera: null, ...selection }, { apart: true });
}

/** Shows all points, with the camera from before the first restriction. */
export function showAll(): void {
  changeView({ projectorOnly: [], projectorCamera: cameraBefore }, { apart: true });
  cameraBefore = null;
}
