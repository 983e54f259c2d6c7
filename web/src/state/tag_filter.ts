// The filter above the sections: a part of the tag's name, or a regular expression between slashes.

import { signal } from "@preact/signals";
import { compilePattern, type Pattern } from "../base/pattern";
import { isUnfinishedPattern } from "./unfinished";
import { texts } from "./view";

export type TagFilter = {
  readonly matches: (tag: string) => boolean;
  /** The error in the regular expression. */
  readonly error: string | null;
};

/** Returns the expression in "/…/"; null if the text is plain text. */
export function patternIn(text: string): string | null {
  return text.length > 2 && text.startsWith("/") && text.endsWith("/") ? text.slice(1, -1) : null;
}

/** Returns the expression in "/lo(ss": the last slash is not typed yet. Names have slashes, but no brackets. */
function openPattern(text: string): string | null {
  return /^\/.*[([{|*+?^$\\]/.test(text) ? text.slice(1) : null;
}

/** Returns the longest valid start of an unfinished expression: what was matched before its last characters were typed. */
function validStart(expression: string): Pattern | null {
  for (let length = expression.length - 1; length > 0; length--) {
    const pattern = compilePattern(expression.slice(0, length));
    if (typeof pattern !== "string") return pattern;
  }
  return null;
}

function containing(text: string): (tag: string) => boolean {
  const wanted = text.toLowerCase();
  return (tag) => tag.toLowerCase().includes(wanted);
}

export function tagFilter(text: string): TagFilter {
  if (text === "") return { matches: () => true, error: null };
  const expression = patternIn(text) ?? openPattern(text);
  if (expression === null) return { matches: containing(text), error: null };
  const pattern = compilePattern(expression);
  if (typeof pattern !== "string") return { matches: pattern.test, error: null };
  if (pattern === "invalid" && isUnfinishedPattern(expression))
    return { matches: validStart(expression)?.test ?? (() => true), error: texts.value.runs.unfinishedFilter };
  const { troubles, hints } = texts.value.patterns;
  // the input already shows that this is no regular expression
  return { matches: containing(expression), error: pattern === "invalid" ? hints.invalid : troubles[pattern] };
}

const MOST_SUGGESTIONS = 25;

/** Returns tags and sections to suggest for the typed text. */
export function suggestTags(text: string, tags: readonly string[]): readonly string[] {
  if (patternIn(text) !== null || text.startsWith("/")) return [];
  const wanted = text.toLowerCase();
  const matching: string[] = [];
  for (const tag of tags) {
    if (tag.toLowerCase().includes(wanted) && tag !== text) matching.push(tag);
    if (matching.length === MOST_SUGGESTIONS) break;
  }
  return matching;
}

// ---- what was searched for before

const MEMORY = "lightboard.tagFilters";
const MOST_REMEMBERED = 12;

function recall(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(MEMORY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}

export const tagFilterHistory = signal<readonly string[]>(recall());

export function rememberTagFilter(text: string): void {
  if (text.trim() === "") return;
  const texts = [text, ...tagFilterHistory.value.filter((known) => known !== text)].slice(0, MOST_REMEMBERED);
  tagFilterHistory.value = texts;
  try {
    localStorage.setItem(MEMORY, JSON.stringify(texts));
  } catch {
    // without storage the history lasts as long as the page
  }
}
