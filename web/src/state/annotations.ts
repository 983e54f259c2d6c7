// Annotations of runs: names, notes, labels, colors, archive. The server stores them beside the logs, never in them. A
// change is shown immediately; if the server refuses it, the page restores the server's state and shows a message.

import { computed, effect, signal } from "@preact/signals";
import { type Annotations, fetchAnnotations, type Remarks, sendAnnotations } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, board, onChange } from "./board";
import { tell } from "./toasts";
import { texts } from "./view";

export type { Remarks };

/** Fields to change; null removes a field. */
export type RemarksChange = {
  readonly name?: string | null;
  readonly note?: string | null;
  readonly tags?: readonly string[] | null;
  readonly archived?: boolean | null;
  readonly color?: string | null;
};

export type AnnotationsState = Pick<Annotations, "runs" | "writable" | "place">;

export const annotations = signal<AnnotationsState>({ runs: {}, writable: false, place: "" });

const NOTHING: Remarks = {};

export function remarksOf(run: string): Remarks {
  return annotations.value.runs[run] ?? NOTHING;
}

/** Archived runs. Recomputed only when annotations change. */
export const archivedRuns = computed<ReadonlySet<string>>(
  () => new Set(Object.entries(annotations.value.runs).flatMap(([run, said]) => (said.archived ? [run] : []))),
);

/** Every label in use, alphabetically. */
export const allLabels = computed<readonly string[]>(() =>
  [...new Set(Object.values(annotations.value.runs).flatMap((said) => said.tags ?? []))].sort(),
);

/** Returns the name to show: the user's name for the run, or the run's own. */
export function shownName(run: string): string {
  return annotations.value.runs[run]?.name ?? (run === "" ? "." : run);
}

const gate = newestGate();

/** Loads all annotations again. */
export async function loadAnnotations(): Promise<void> {
  // the board works without annotations: an error is shown when the user tries to change one
  const { newest, answer } = await gate(fetchAnnotations().catch(() => null));
  if (newest && answer !== null) annotations.value = answer;
}

const loadSoon = coalesced(() => void loadAnnotations(), 200);

onChange((change) => {
  if (change.annotations) loadSoon();
});

const session = computed(() => board.value?.session ?? null);
effect(() => {
  if (session.value !== null) void loadAnnotations();
});

/** Changes annotations of runs; returns false if the server refused (a message is shown). */
export async function annotate(changes: ReadonlyMap<string, RemarksChange>): Promise<boolean> {
  if (changes.size === 0) return true;
  const before = annotations.value;
  annotations.value = { ...before, runs: changed(before.runs, changes) };
  try {
    const answer = await sendAnnotations(Object.fromEntries(changes));
    annotations.value = { ...annotations.value, runs: { ...annotations.value.runs, ...answer.runs } };
    return true;
  } catch (error) {
    annotations.value = before;
    const { message, hint } = asProblem(error);
    tell([texts.value.runs.notKept, message, hint].filter((part) => part !== "").join(" "), { kind: "error" });
    void loadAnnotations();
    return false;
  }
}

/** Makes the same change for several runs, and shows a message with an undo button. */
export async function annotateAll(runs: readonly string[], change: RemarksChange, said: string): Promise<void> {
  const before = new Map(runs.map((run) => [run, opposite(remarksOf(run), change)]));
  if (!(await annotate(new Map(runs.map((run) => [run, change]))))) return;
  tell(said, { action: { label: texts.value.runs.takeBack, run: () => void annotate(before) } });
}

/** Adds and removes labels of several runs. */
export async function label(runs: readonly string[], add: readonly string[], remove: readonly string[]): Promise<void> {
  const gone = new Set(remove);
  const changes = runs.map((run): [string, RemarksChange] => {
    const kept = (remarksOf(run).tags ?? []).filter((tag) => !gone.has(tag));
    return [run, { tags: [...new Set([...kept, ...add])] }];
  });
  await annotate(new Map(changes));
}

type Labels = ReadonlyMap<string, readonly string[]>;

/** Returns the labels of each run. */
export function labelsOf(runs: readonly string[]): Labels {
  return new Map(runs.map((run) => [run, remarksOf(run).tags ?? []]));
}

/** Splits typed labels at commas. */
export function labelsInText(text: string): readonly string[] {
  const labels = text.split(/[,，]/).map((one) => one.trim());
  return [...new Set(labels.filter((one) => one !== ""))];
}

/** Shows a message with an undo button if the labels of the runs differ from those before. */
export function offerLabelsBack(before: Labels, said: string): void {
  const changed = [...before].filter(([run, tags]) => !sameLabels(tags, remarksOf(run).tags ?? []));
  if (changed.length === 0) return;
  const back = new Map(changed.map(([run, tags]): [string, RemarksChange] => [run, { tags }]));
  tell(said, { action: { label: texts.value.runs.takeBack, run: () => void annotate(back) } });
}

function sameLabels(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((tag) => other.includes(tag));
}

function opposite(said: Remarks, change: RemarksChange): RemarksChange {
  const back: Record<string, unknown> = {};
  for (const field of Object.keys(change) as (keyof RemarksChange)[]) back[field] = said[field] ?? null;
  return back as RemarksChange;
}

/** Returns annotations with a change applied, as the server will store it; only the server renders notes. */
export function changed(
  runs: Readonly<Record<string, Remarks>>,
  changes: ReadonlyMap<string, RemarksChange>,
): Readonly<Record<string, Remarks>> {
  const next: Record<string, Remarks> = { ...runs };
  for (const [run, change] of changes) {
    const said: Record<string, unknown> = { ...next[run], ...change };
    if ("note" in change) delete said.note_html;
    for (const [field, value] of Object.entries(said)) {
      const empty = value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
      if (empty) delete said[field];
    }
    next[run] = said as Remarks;
  }
  return next;
}

/** Returns all annotations as a file in the sidecar's format. */
export function exportAnnotations(): string {
  const runs = Object.entries(annotations.value.runs).map(([run, { note_html: _, ...said }]) => [run, said]);
  return `${JSON.stringify({ lightboard: "annotations", version: 1, runs: Object.fromEntries(runs) }, null, 1)}\n`;
}

/** Parses the annotations of a file; returns null if it is not such a file. */
export function parseAnnotations(text: string): ReadonlyMap<string, RemarksChange> | null {
  try {
    const { runs } = JSON.parse(text) as { runs?: unknown };
    if (typeof runs !== "object" || runs === null || Array.isArray(runs)) return null;
    return new Map(Object.entries(runs as Record<string, RemarksChange>));
  } catch {
    return null;
  }
}
