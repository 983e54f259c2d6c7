// What people say about runs: names, notes, labels, colors, archive. Kept by the server beside the logs, never in them.
// A change shows at once; if the server refuses it, what it says instead comes back and a message tells why.

import { computed, effect, signal } from "@preact/signals";
import { type Annotations, fetchAnnotations, type Remarks, sendAnnotations } from "../api/client";
import { coalesced, newestGate } from "../base/newest";
import { asProblem, board, onChange } from "./board";
import { tell } from "./toasts";
import { texts } from "./view";

export type { Remarks };

/** Fields to change; null removes one. */
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

/** Archived runs. Rebuilt only when remarks change. */
export const archivedRuns = computed<ReadonlySet<string>>(
  () => new Set(Object.entries(annotations.value.runs).flatMap(([run, said]) => (said.archived ? [run] : []))),
);

/** Every label in use, alphabetically. */
export const allLabels = computed<readonly string[]>(() =>
  [...new Set(Object.values(annotations.value.runs).flatMap((said) => said.tags ?? []))].sort(),
);

/** The name to show: the reader's own, or the run's. */
export function shownName(run: string): string {
  return annotations.value.runs[run]?.name ?? (run === "" ? "." : run);
}

const gate = newestGate();

/** Ask for all remarks again. */
export async function loadAnnotations(): Promise<void> {
  // without remarks a board is still a board: a failure shows when somebody tries to change one
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

/** Change remarks of runs; undefined when the server refused (a message is shown). */
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

/** The same change for several runs, with a message that can take it back. */
export async function annotateAll(runs: readonly string[], change: RemarksChange, said: string): Promise<void> {
  const before = new Map(runs.map((run) => [run, opposite(remarksOf(run), change)]));
  if (!(await annotate(new Map(runs.map((run) => [run, change]))))) return;
  tell(said, { action: { label: texts.value.runs.takeBack, run: () => void annotate(before) } });
}

/** Add and remove labels of several runs. */
export async function label(runs: readonly string[], add: readonly string[], remove: readonly string[]): Promise<void> {
  const gone = new Set(remove);
  const changes = runs.map((run): [string, RemarksChange] => {
    const kept = (remarksOf(run).tags ?? []).filter((tag) => !gone.has(tag));
    return [run, { tags: [...new Set([...kept, ...add])] }];
  });
  await annotate(new Map(changes));
}

function opposite(said: Remarks, change: RemarksChange): RemarksChange {
  const back: Record<string, unknown> = {};
  for (const field of Object.keys(change) as (keyof RemarksChange)[]) back[field] = said[field] ?? null;
  return back as RemarksChange;
}

/** Remarks with a change in them, as the server will have it; a note is rendered by it only. */
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

/** All remarks as a file of the sidecar's own form. */
export function exportAnnotations(): string {
  const runs = Object.entries(annotations.value.runs).map(([run, { note_html: _, ...said }]) => [run, said]);
  return `${JSON.stringify({ lightboard: "annotations", version: 1, runs: Object.fromEntries(runs) }, null, 1)}\n`;
}

/** Remarks of a file; null when it is none. */
export function parseAnnotations(text: string): ReadonlyMap<string, RemarksChange> | null {
  try {
    const { runs } = JSON.parse(text) as { runs?: unknown };
    if (typeof runs !== "object" || runs === null || Array.isArray(runs)) return null;
    return new Map(Object.entries(runs as Record<string, RemarksChange>));
  } catch {
    return null;
  }
}
