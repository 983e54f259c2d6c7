// The runs that pass the filter. A regular expression is matched here, at every keystroke; a filter expression is
// evaluated by the server, and until it responds the list does not change. While a filter is unfinished, the last valid
// result stays. Column filters of the table are expressions, too.

import { computed, effect, signal } from "@preact/signals";
import { ApiError, fetchCompletions, fetchPassing } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { compilePattern, type Pattern, type Trouble } from "../base/pattern";
import { annotations, archivedRuns } from "./annotations";
import { asProblem, type Problem, runs } from "./board";
import { explanationOf } from "./explained";
import type { ColumnFilters } from "./members/runs";
import type { ColumnFilter } from "./members/shared";
import { allRuns, steady } from "./run_facts";
import { endsTooEarly, isFirstWord, isUnfinished, isUnfinishedPattern } from "./unfinished";
import { member, texts } from "./view";

const runFilter = member("runFilter");
const columnFilters = member("columnFilters");
const archived = member("archived");

// ---- is a text a regular expression or a filter expression? docs/reference/filters.md, "Which is it?"

const WORDS = "first|last|min|max|has|matches|ago|now|seconds|minutes|hours|days";
const SIGNS = new RegExp(
  `[=!<>]=|(?<![-=])[<>]|\\b(?:${WORDS})\\s*\\(|\\bhparams\\s*[.[]|^\\s*not\\s|\\s(?:and|or|not\\s+in|in)\\s`,
);
const NO_SIGNS = /\(\?(?:P?<\w+>|<?[=!:])/g;
const QUOTED = /"[^"]*"?|'[^']*'?/g;

export function isExpression(text: string): boolean {
  // the only word that is a condition by itself
  if (text.trim() === "archived") return true;
  return SIGNS.test(text.replace(QUOTED, '""').replace(NO_SIGNS, ""));
}

// ---- column filters as expressions

function quote(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** Returns a column filter as an expression; null if it has no condition. */
export function columnExpression(column: string, filter: ColumnFilter): string | null {
  if (column === "labels") return labelExpression(filter);
  const subject = subjectOf(column);
  if (subject === null) return null;
  const bounds: string[] = [];
  if (filter.values !== undefined) bounds.push(`${subject} in [${filter.values.map(quote).join(", ")}]`);
  if (filter.lo !== undefined) bounds.push(`${subject} >= ${filter.lo}`);
  if (filter.hi !== undefined) bounds.push(`${subject} <= ${filter.hi}`);
  const inside = bounds.join(" and ");
  const absence = absenceOf(column, subject);
  if (absence === null) return inside === "" ? null : inside;
  if (filter.absent === true) return inside === "" ? null : `(${inside} or ${absence})`;
  return inside === "" ? `not ${absence}` : inside;
}

function labelExpression({ values, absent }: ColumnFilter): string | null {
  const parts = (values ?? []).map((tag) => `${quote(tag)} in labels`);
  if (values === undefined) return absent === true ? null : 'matches(labels, "")';
  if (absent === true) parts.push('not matches(labels, "")');
  return parts.length === 0 ? "False == True" : `(${parts.join(" or ")})`;
}

function subjectOf(column: string): string | null {
  const [kind, name] = splitColumn(column);
  if (kind === "hparam") return /^[A-Za-z_]\w*$/.test(name) ? `hparams.${name}` : `hparams[${JSON.stringify(name)}]`;
  if (kind === "last" || kind === "min" || kind === "max" || kind === "first")
    return `${kind}(${JSON.stringify(name)})`;
  if (kind === "state") return "status";
  return kind === "start" || kind === "duration" || kind === "name" ? kind : null;
}

function absenceOf(column: string, subject: string): string | null {
  const [kind, name] = splitColumn(column);
  if (kind === "hparam") return `${subject} == None`;
  if (["first", "last", "min", "max"].includes(kind)) return `not has(${JSON.stringify(name)})`;
  return null;
}

/** "last:eval/loss" → ["last", "eval/loss"]; "start" → ["start", ""]. */
export function splitColumn(column: string): readonly [kind: string, name: string] {
  const cut = column.indexOf(":");
  return cut < 0 ? [column, ""] : [column.slice(0, cut), column.slice(cut + 1)];
}

/** Returns all column filters as one expression; "" for none. */
export function filtersExpression(filters: ColumnFilters): string {
  const parts = Object.entries(filters).flatMap(([column, filter]) => columnExpression(column, filter) ?? []);
  return parts.join(" and ");
}

// ---- requests to the server

export type FilterError = {
  readonly message: string;
  readonly hint: string;
  readonly position: number | null;
  /** More typing could mend it. */
  readonly unfinished?: boolean;
};

type Question = { readonly text: string; readonly shift: number; readonly unfinished?: boolean };

const question = computed<Question>(() => {
  const chips = filtersExpression(columnFilters.value);
  const typed = runFilter.value;
  if (!isExpression(typed)) return { text: chips, shift: 0 };
  const unfinished = endsTooEarly(typed);
  // the typed text is first, so that error positions in it stay valid
  return chips === ""
    ? { text: typed, shift: 0, unfinished }
    : { text: `(${typed}) and ${chips}`, shift: 1, unfinished };
});

type Refusal = { readonly problem: Problem; readonly position: number | null; readonly code: string };
/** `names`: runs that pass this expression or, if it is invalid, the last valid one; null if there was none. */
type Answer = {
  readonly text: string;
  readonly names: ReadonlySet<string> | null;
  readonly error: Refusal | null;
  readonly unfinished?: boolean;
};
const NO_ANSWER: Answer = { text: "", names: null, error: null };
const answer = signal<Answer>(NO_ANSWER);

const gate = newestGate();

async function ask(text: string, shift: number): Promise<Answer> {
  try {
    const names = new Set(await fetchPassing(text));
    // a condition for hparams that are true; of other hparams it is the start of a comparison
    return { text, names, error: null, unfinished: names.size === 0 && /\bhparams\.\w+\s*$/.test(text) };
  } catch (error) {
    const position = error instanceof ApiError && error.position !== null ? error.position - shift : null;
    return { text, names: null, error: { problem: asProblem(error), position, code: explanationOf(error).code } };
  }
}

async function askNow(): Promise<void> {
  const { text, shift, unfinished } = question.peek();
  if (text === "") return;
  if (unfinished) {
    // an answer to an earlier text may still arrive
    void gate(Promise.resolve());
    answer.value = { text, names: answer.peek().names, error: null, unfinished: true };
    return;
  }
  const { newest, answer: found } = await gate(ask(text, shift));
  const keepsNames = found.error !== null || found.unfinished;
  if (newest) answer.value = keepsNames ? { ...found, names: answer.peek().names } : found;
}

// values of a live run change all the time; the list may be updated a little later
const askAgain = coalesced(() => void askNow(), 1000);

effect(() => {
  if (question.value.text !== "") void askNow();
  else answer.value = NO_ANSWER;
});
effect(() => {
  void runs.value;
  if (question.peek().text !== "") askAgain();
});

export const filterPending = computed(() => question.value.text !== "" && question.value.text !== answer.value.text);

// ---- the result

const pattern = computed<Pattern | Trouble | null>(() => {
  const text = runFilter.value.trim();
  return text === "" || isExpression(text) ? null : compilePattern(text);
});

/** The error in the filter; null if there is none. */
export const filterError = computed<FilterError | null>(() => {
  if (question.value.unfinished || (answer.value.unfinished && !filterPending.value)) return unfinished();
  if (question.value.text !== "" && answer.value.text === question.value.text && answer.value.error !== null) {
    const { problem, position, code } = answer.value.error;
    if (isUnfinished(runFilter.value, position, code)) return unfinished();
    return { message: problem.message, hint: problem.hint, position };
  }
  const trouble = pattern.value;
  if (trouble === null) return null;
  const { troubles, hints, asText } = texts.value.patterns;
  if (keepsLast(trouble)) return unfinished();
  if (typeof trouble === "string") return { message: asText(troubles[trouble]), hint: hints[trouble], position: null };
  const passing = passingRuns.value; // evaluate it first
  if (isFirstWord(runFilter.value) && !passing.some((name) => test(name, trouble))) return unfinished();
  return trouble.spent() ? { message: troubles.large, hint: hints.large, position: null } : null;
});

function unfinished(): FilterError {
  return { message: texts.value.runs.unfinishedFilter, hint: "", position: null, unfinished: true };
}

/** True for a regular expression that more typing could mend. */
function keepsLast(by: Pattern | Trouble | null): boolean {
  return by === "invalid" && isUnfinishedPattern(runFilter.value);
}

function test(name: string, by: Pattern): boolean {
  if (by.test(name)) return true;
  const own = annotations.value.runs[name]?.name;
  return own !== undefined && by.test(own);
}

/** A filter that names archived runs shows them. */
const asksForArchived = computed(() => isExpression(runFilter.value) && /\barchived\b/.test(runFilter.value));

/** Names of runs that pass every filter, in natural order. */
export const passingRuns = steady(pass);

let lastPassed: readonly string[] | null = null;

function pass(): readonly string[] {
  const { text } = question.value;
  const told = text === "" ? null : answer.value;
  let kept: readonly string[] = allRuns.value;
  const by = pattern.value;
  // no response yet, or an unfinished pattern: keep the last result
  if ((told !== null && told.text !== text) || keepsLast(by)) {
    if (lastPassed === null) return told === null ? kept : [];
    const known = new Set(kept);
    return lastPassed.filter((name) => known.has(name));
  }
  if (!archived.value && !asksForArchived.value && archivedRuns.value.size > 0)
    kept = kept.filter((name) => !archivedRuns.value.has(name));
  const names = told?.names;
  if (names) kept = kept.filter((name) => names.has(name));
  if (typeof by === "string") kept = literally(kept, runFilter.value.trim());
  else if (by !== null) kept = matching(kept, by);
  lastPassed = kept;
  return kept;
}

/** Returns the names that match; all if none matches but the text may become an expression such as `last("loss") < 1`. */
function matching(names: readonly string[], by: Pattern): readonly string[] {
  const found = names.filter((name) => test(name, by));
  return found.length === 0 && isFirstWord(runFilter.value) ? names : found;
}

/** Searches an invalid pattern as plain text. */
function literally(names: readonly string[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  return names.filter((name) => name.toLowerCase().includes(wanted));
}

// ---- help while typing

/** Returns words that can replace the one before the cursor, best first. */
export async function completionsFor(text: string, cursor: number, signal: AbortSignal): Promise<readonly string[]> {
  const typed = wordBefore(text.slice(0, cursor));
  // regular expressions contain words, too: no completion for short ones
  if (text.trim() === "" || (!isExpression(text) && typed.length < 2)) return [];
  try {
    return (await fetchCompletions(text, cursor, { signal })).words;
  } catch {
    return [];
  }
}

export function putCompletion(word: string, text: string, cursor: number): { value: string; cursor: number } {
  const left = text.slice(0, cursor);
  const before = left.slice(0, left.length - wordBefore(left).length) + word;
  return { value: before + text.slice(cursor), cursor: before.length };
}

/**
 * Returns the text that a completion replaces: inside quotes everything since the quote, after `hparams.` the name,
 * otherwise the word.
 */
export function wordBefore(left: string): string {
  const quotes = (left.match(/"/g)?.length ?? 0) % 2 === 1 || (left.match(/'/g)?.length ?? 0) % 2 === 1;
  if (quotes) return /[^"']*$/.exec(left)?.[0] ?? "";
  return /[\w]*$/.exec(left)?.[0] ?? "";
}

// ---- what was typed before

const HISTORY = "lightboard.run-filters";
const HISTORY_LENGTH = 20;

export function filterHistory(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(HISTORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function rememberFilter(text: string): void {
  if (text.trim() === "") return;
  const kept = [text, ...filterHistory().filter((one) => one !== text)].slice(0, HISTORY_LENGTH);
  try {
    localStorage.setItem(HISTORY, JSON.stringify(kept));
  } catch {
    // no access to storage: the history is not saved
  }
}
