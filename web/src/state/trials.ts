// The trials of the board: requested while the page of hparams is open, again when runs have changed, and stored as
// columns (trials_columns.ts). The server decides which runs are trials and computes their values.

import { batch, computed, effect, signal } from "@preact/signals";
import { fetchTrials, type TrialsHeader, type TrialsQuestion } from "../api/client";
import { decodeFrame, type FrameArray } from "../base/frame";
import { newestGate, paced } from "../base/newest";
import { asProblem, onChange, type Problem } from "./board";
import { allRuns } from "./run_facts";
import { passingRuns } from "./run_filter";
import {
  type Absent,
  type Domain,
  hparamId,
  metricId,
  orderedTexts,
  STATUSES,
  splitMetric,
  type TrialColumn,
  type Trials,
} from "./trials_columns";
import { boardSettings, member } from "./view";

/** Null before the first response. */
export const trials = signal<Trials | null>(null);
export const trialsProblem = signal<Problem | null>(null);

const metrics = member("hparamsMetrics");
const value = member("hparamsValue");
const step = member("hparamsStep");
const by = member("hparamsBy");
const goals = member("hparamsGoals");
const repeats = member("hparamsRepeats");
const spread = member("hparamsSpread");

// ---- requests

/**
 * True after a response had trials with several runs. It stays true: a filter may leave one run of each trial, and must
 * still be sent.
 */
const repeated = signal(false);

/**
 * The filtered runs, or null if the server need not know: the filter changes values only if trials have several runs.
 */
const someRuns = computed<readonly string[] | null>(() =>
  !repeated.value || passingRuns.value.length === allRuns.value.length ? null : passingRuns.value,
);

export const trialsQuestion = computed<TrialsQuestion>(() => {
  const chosen = metrics.value.map(splitMetric);
  const wishes = metrics.value.map((id) => goals.value[id] ?? "auto");
  const { rewinds } = boardSettings.value;
  // if no step or no metric is selected yet, use the last value
  const at = value.value === "at" && step.value === "";
  const best = value.value === "by" && by.value !== "" ? splitMetric(by.value) : null;
  return {
    ...(someRuns.value === null ? {} : { run: someRuns.value }),
    ...(chosen.length === 0 ? {} : { metric: chosen.map(({ tag }) => tag), group: chosen.map(({ group }) => group) }),
    ...(wishes.every((wish) => wish === "auto") ? {} : { goal: wishes }),
    ...(at || value.value === "last" || value.value === "by" ? {} : { aggregate: value.value }),
    ...(best === null ? {} : { by: best.tag, by_group: best.group, by_goal: goals.value[by.value] ?? "auto" }),
    // as text: steps may have more digits than a double
    ...(value.value !== "at" || at ? {} : { step: step.value as unknown as number }),
    ...(repeats.value === "group" ? {} : { repeats: repeats.value }),
    ...(spread.value === "mean" ? {} : { spread: spread.value }),
    ...(rewinds === "board" ? {} : { rewinds }),
  };
});

/** True while values that the user requested are being loaded. */
export const trialsBusy = signal(false);

const gate = newestGate();

async function load(): Promise<void> {
  const work = fetchTrials(trialsQuestion.peek()).then(decodeTrials);
  const { newest, answer } = await gate(work.catch((error: unknown) => asProblem(error)));
  if (!newest) return;
  batch(() => {
    trialsBusy.value = false;
    if (!("columns" in answer)) {
      trialsProblem.value = answer;
      return;
    }
    trials.value = answer;
    trialsProblem.value = null;
    if (answer.repeated) repeated.value = true;
  });
}

// ten thousand trials take some megabytes: limit the requests on a busy board
const LIVE_MS = 1500;

/** Loads and updates the trials. Returns a function that stops. */
export function followTrials(): () => void {
  const again = paced(load, LIVE_MS);
  const stopAsking = effect(() => {
    void trialsQuestion.value;
    trialsBusy.value = true;
    void load();
  });
  const stopListening = onChange((change) => {
    if (change.runs.length > 0) again();
  });
  return () => {
    stopAsking();
    stopListening();
  };
}

export function retryTrials(): void {
  trialsProblem.value = null;
  trialsBusy.value = true;
  void load();
}

// ---- a response as columns

export function decodeTrials(frame: ArrayBuffer): Trials {
  const { header, arrays } = decodeFrame<TrialsHeader>(frame);
  const sessions = numbersIn(arrays, "sessions");
  const runs = runsByTrial(header.runs, sessions);
  const columns = [
    ...header.hparams.map((told, at) => {
      const whys = arrays.get(`why.hparam.${at}`);
      const varies = header.hparam_reasons.indexOf("varies");
      return hparamColumn(told, numbersIn(arrays, `hparam.${at}`), (trial) => Number(whys?.[trial]) === varies);
    }),
    ...header.metrics.map((told, at) =>
      metricColumn(told, numbersIn(arrays, `value.${at}`), numbersIn(arrays, `step.${at}`)),
    ),
    ...facts(arrays, header.statuses, sessions),
  ];
  const whys = new Map<string, FrameArray | undefined>([
    ...header.hparams.map((told, at) => [hparamId(told.name), arrays.get(`why.hparam.${at}`)] as const),
    ...header.metrics.map((told, at) => [metricId(told.tag, told.group), arrays.get(`why.${at}`)] as const),
  ]);
  const deviations = new Map(
    header.metrics.map((told, at) => [metricId(told.tag, told.group), arrays.get(`deviation.${at}`)] as const),
  );
  return {
    version: header.version,
    count: runs.length,
    names: runs.map((own, trial) => (own.length === 1 ? own[0] : header.name[trial]) || own[0] || ""),
    runs,
    repeated: runs.some((own) => own.length > 1),
    columns,
    byId: new Map(columns.map((column) => [column.id, column])),
    otherMetrics: header.other_metrics.map(({ tag, group }) => metricId(tag, group)),
    absent: header.absent.map(({ run, reason, detail }): Absent => ({ run, reason, detail })),
    absentTotal: header.absent_total,
    experiment: header.experiment,
    description: header.description,
    reasonOf: ({ id, role }, trial) => {
      const code = Number(whys.get(id)?.[trial] ?? 0);
      return (role === "hparam" ? header.hparam_reasons : header.reasons)[code] ?? "";
    },
    deviationOf: ({ id }, trial) => Number(deviations.get(id)?.[trial] ?? Number.NaN),
  };
}

function numbersIn(arrays: ReadonlyMap<string, FrameArray>, name: string): Float64Array {
  const found = arrays.get(name);
  if (found instanceof Float64Array) return found;
  // steps that need more than a double are bigints; for a title the nearest double is enough
  return Float64Array.from(found ?? [], Number);
}

function runsByTrial(runs: readonly string[], sessions: Float64Array): readonly (readonly string[])[] {
  let first = 0;
  return Array.from(sessions, (count) => {
    first += count;
    return runs.slice(first - count, first);
  });
}

type ToldHparam = TrialsHeader["hparams"][number];

/**
 * If repeats differ, for example in their seed, the response has the value of the first one. It is dropped, because it
 * is not the value of the whole trial.
 */
function hparamColumn(told: ToldHparam, given: Float64Array, varies: (trial: number) => boolean): TrialColumn {
  const absent = told.kind === "number" ? Number.NaN : -1;
  const cells = given.map((cell, trial) => (varies(trial) ? absent : cell));
  const plain = told.kind === "number" ? { numbers: cells, texts: [] } : null;
  const ordered =
    plain ?? (told.kind === "bool" ? { numbers: cells.map(absentIsNaN), texts: [] } : orderedTexts(cells, told.values));
  return {
    id: hparamId(told.name),
    role: "hparam",
    kind: told.kind,
    name: told.name,
    group: "",
    title: told.display || told.name,
    description: told.description,
    differs: told.differs,
    goal: null,
    domain: domainOf(told.domain),
    steps: null,
    ...ordered,
  };
}

function absentIsNaN(code: number): number {
  return code < 0 ? Number.NaN : code;
}

function domainOf(told: ToldHparam["domain"]): Domain | null {
  if (told === null) return null;
  if (told.values !== null) {
    return { kind: "values", values: told.values.filter((one): one is string | number | boolean => one !== null) };
  }
  return told.lo === null || told.hi === null ? null : { kind: "interval", lo: told.lo, hi: told.hi };
}

function metricColumn(told: TrialsHeader["metrics"][number], numbers: Float64Array, steps: Float64Array): TrialColumn {
  return {
    id: metricId(told.tag, told.group),
    role: "metric",
    kind: "number",
    name: told.tag,
    group: told.group,
    title: told.display || (told.group === "" ? told.tag : `${told.group}/${told.tag}`),
    description: told.description,
    differs: true,
    goal: told.goal,
    domain: null,
    numbers,
    texts: [],
    steps,
  };
}

function facts(
  arrays: ReadonlyMap<string, FrameArray>,
  statuses: readonly string[],
  sessions: Float64Array,
): readonly TrialColumn[] {
  const [start, end] = [numbersIn(arrays, "start"), numbersIn(arrays, "end")];
  const words: readonly string[] = STATUSES;
  const places = statuses.map((word) => Math.max(0, words.indexOf(word)));
  const status = numbersIn(arrays, "status").map((code) => places[code] ?? 0);
  const fact = (id: string, numbers: Float64Array): TrialColumn => ({
    id,
    role: "fact",
    kind: "number",
    name: id,
    group: "",
    title: id,
    description: "",
    differs: true,
    goal: null,
    domain: null,
    numbers,
    texts: [],
    steps: null,
  });
  return [
    fact("status", status),
    fact("start", start),
    fact(
      "duration",
      end.map((at, trial) => at - (start[trial] ?? Number.NaN)),
    ),
    fact("repeats", sessions),
  ];
}
