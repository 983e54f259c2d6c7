// Exports the listed and brushed trials as a file, and computes the importance of hparams for metrics. The server does
// both; the request has the columns, the order and, if some trials are filtered out, the runs.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { fetchImportance, fetchTrialsFile, type Importance, type TrialsFileQuestion } from "../api/client";
import { newestGate } from "../base/newest";
import { asProblem, type Problem } from "./board";
import { picked, rows, shownColumns, sortKeys } from "./hparams";
import { trials, trialsQuestion } from "./trials";
import { splitMetric, type TrialColumn } from "./trials_columns";

export type TrialsFormat = NonNullable<TrialsFileQuestion["format"]>;

/** Returns the runs of the remaining trials; no `run` if these are all trials. */
function runsLeft(list: Int32Array): { readonly run?: readonly string[] } {
  const now = trials.peek();
  if (now === null || list.length === now.count) return {};
  return { run: Array.from(list).flatMap((trial) => now.runs[trial] ?? []) };
}

function columnsOf(columns: readonly TrialColumn[]): Pick<TrialsFileQuestion, "hparam" | "metric" | "group" | "goal"> {
  const metrics = columns.filter(({ role }) => role === "metric");
  return {
    hparam: columns.filter(({ role }) => role === "hparam").map(({ name }) => name),
    metric: metrics.map(({ name }) => name),
    group: metrics.map(({ group }) => group),
    goal: metrics.map(({ goal }) => goal ?? "auto"),
  };
}

/** Returns a column name in the server's syntax: `metric:GROUP:TAG`. */
function sortWord(id: string): string {
  if (!id.startsWith("metric@")) return id;
  const { tag, group } = splitMetric(id);
  return `metric:${group}:${tag}`;
}

export function fileOfTrials(format: TrialsFormat): Promise<Blob> {
  const columns = shownColumns.peek();
  const known = new Set(["name", "start", "status", ...columns.map(({ id }) => id)]);
  const sort = sortKeys
    .peek()
    .filter(({ column }) => known.has(column) && column !== "duration" && column !== "repeats");
  const facts = new Set(columns.map(({ id }) => id));
  return fetchTrialsFile({
    ...trialsQuestion.peek(),
    ...runsLeft(rows.peek()),
    ...columnsOf(columns),
    format,
    sort: sort.map(({ column, down }) => `${down ? "-" : ""}${sortWord(column)}`),
    extra: (["status", "start"] as const).filter((one) => facts.has(one)),
  });
}

// ---- importance

export type ShownImportance = {
  readonly shown: ReadonlySignal<Importance | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly busy: ReadonlySignal<boolean>;
  readonly close: () => void;
};

// debounce: while a brush is dragged, no request is sent
const REST_MS = 250;

/** Follows the importance for the listed and brushed trials; the old result stays until the next one arrives. */
export function followImportance(): ShownImportance {
  const shown = signal<Importance | null>(null);
  const problem = signal<Problem | null>(null);
  const busy = signal(false);
  const gate = newestGate();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const metrics = computed(() => (trials.value?.columns ?? []).filter(({ role }) => role === "metric"));
  const ask = async (): Promise<void> => {
    busy.value = true;
    try {
      const { hparam: _, ...chosen } = columnsOf(metrics.peek());
      const question = { ...trialsQuestion.peek(), ...runsLeft(picked.peek()), ...chosen };
      const { newest, answer } = await gate(fetchImportance(question as TrialsFileQuestion));
      if (!newest) return;
      shown.value = answer;
      problem.value = null;
    } catch (error) {
      problem.value = asProblem(error);
    }
    busy.value = false;
  };
  const stop = effect(() => {
    void [picked.value, metrics.value, trialsQuestion.value];
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), shown.peek() === null ? 0 : REST_MS);
  });
  return {
    shown,
    problem,
    busy,
    close: () => {
      clearTimeout(timer);
      stop();
    },
  };
}
