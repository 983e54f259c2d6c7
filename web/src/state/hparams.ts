// The page of trials: which are listed, in which order, which of them stand out, and in which colours, all derived from
// the trials, the board's runs and the view. Trials and runs are the same thing seen twice: a run that does not pass the
// filter of runs takes its trial along, a hidden one makes it dim, and trials can be shown alone on every other page.

import { computed, signal } from "@preact/signals";
import { GREY, sequential } from "../base/color";
import type { TrialGoal, TrialScale } from "./members/hparams";
import { passingRuns } from "./run_filter";
import { allRuns, colorOf, drawnRuns, emphasisedRun, MANY_RUNS, tick, tickOnly } from "./runs";
import { theme } from "./theme";
import { trials } from "./trials";
import { dullness, STATUSES, type TrialColumn, type Trials } from "./trials_columns";
import { applyFilter, brushMask, hasBrush, type Mask, type TrialBrush, type TrialFilter } from "./trials_filter";
import { sortKey, sortTrials } from "./trials_order";
import { axisOf, type TrialAxis, usualScale } from "./trials_scales";
import { changeView, member, view } from "./view";

const chosenColumns = member("hparamsColumns");
const widths = member("hparamsWidths");
const sort = member("hparamsSort");
const filters = member("hparamsFilters");
const brushes = member("hparamsBrushes");
const leftOut = member("hparamsStatus");
const scales = member("hparamsScales");
const inverted = member("hparamsInverted");
const color = member("hparamsColor");
const hidden = member("hparamsHidden");

// ---- columns

// TensorBoard begins with five of each
const FIRST_HPARAMS = 7;
const FIRST_METRICS = 5;

export const hparamColumns = computed(() => columnsOf("hparam"));
export const metricColumns = computed(() => columnsOf("metric"));

/** Those that differ first. */
function columnsOf(role: TrialColumn["role"]): readonly TrialColumn[] {
  const all = (trials.value?.columns ?? []).filter((column) => column.role === role);
  return [...all.filter(({ differs }) => differs), ...all.filter(({ differs }) => !differs)];
}

/** What most trials have comes first: several programs may have logged here. */
function mostTold(columns: readonly TrialColumn[]): readonly TrialColumn[] {
  const told = new Map(columns.map((column) => [column, column.numbers.filter((one) => !Number.isNaN(one)).length]));
  return [...columns].sort((a, b) => (told.get(b) ?? 0) - (told.get(a) ?? 0));
}

const usualColumns = computed<readonly string[]>(() => {
  const all = hparamColumns.value;
  const differing = all.filter(({ differs }) => differs);
  const settings = mostTold(differing.length > 0 ? differing : all).slice(0, FIRST_HPARAMS);
  const metrics = mostTold(metricColumns.value).slice(0, FIRST_METRICS);
  return [...settings, ...metrics].map(({ id }) => id);
});

/** Columns of the table and axes, in order; names of columns that are not there (yet) are passed over. */
export const shownColumns = computed<readonly TrialColumn[]>(() => {
  const known = trials.value?.byId;
  if (known === undefined) return [];
  const ids = chosenColumns.value.length > 0 ? chosenColumns.value : usualColumns.value;
  return ids.flatMap((id) => known.get(id) ?? []);
});

const shownIds = computed(() => shownColumns.value.map(({ id }) => id));

export function toggleColumn(id: string, on: boolean): void {
  const now = shownIds.value;
  if (!on) setColumns(now.filter((one) => one !== id));
  else if (!now.includes(id)) setColumns(placed(now, id));
}

/** A setting goes behind the last setting, a metric to the end. */
function placed(now: readonly string[], id: string): readonly string[] {
  const isHparam = (one: string): boolean => one.startsWith("hparam:");
  const after = isHparam(id) ? now.lastIndexOf([...now].reverse().find(isHparam) ?? "") + 1 : now.length;
  return [...now.slice(0, after), id, ...now.slice(after)];
}

// an empty list would mean the usual columns
export const NO_COLUMN = "none";

export function setColumns(ids: readonly string[]): void {
  changeView({ hparamsColumns: ids.length === 0 ? [NO_COLUMN] : ids });
}

/** Put a column where another is. */
export function moveColumn(id: string, to: string): void {
  const now = shownIds.value;
  const at = now.indexOf(to);
  if (id === to || at < 0 || !now.includes(id)) return;
  const rest = now.filter((one) => one !== id);
  setColumns([...rest.slice(0, at), id, ...rest.slice(at)]);
}

export function shiftColumn(id: string, by: number): void {
  const to = shownIds.value[shownIds.value.indexOf(id) + by];
  if (to !== undefined) moveColumn(id, to);
}

export const NAME_PX = 220;

export function widthOf(id: string): number {
  const own = widths.value[id];
  if (own !== undefined) return own;
  if (id === "name") return NAME_PX;
  if (id === "start") return 136;
  if (!id.startsWith("metric")) return 104;
  // with how far repeats lie apart
  return trials.value?.repeated ? 160 : 118;
}

export function setWidth(id: string, widthPx: number): void {
  changeView({ hparamsWidths: { ...widths.value, [id]: Math.round(Math.min(2000, Math.max(48, widthPx))) } });
}

// ---- trials and runs

/** The trial of each run, its own directory's or that of one above it. */
export const trialOfRun = computed<(run: string) => number>(() => {
  const known = new Map<string, number>();
  trials.value?.runs.forEach((runs, trial) => {
    for (const run of runs) known.set(run, trial);
  });
  return (run) => {
    for (let path = run; ; path = path.slice(0, path.lastIndexOf("/"))) {
      const found = known.get(path);
      if (found !== undefined) return found;
      if (!path.includes("/")) return known.get(".") ?? -1;
    }
  };
});

/** Runs of the board by trial: the session's own and those below it. */
const runsByTrial = computed<ReadonlyMap<number, readonly string[]>>(() => {
  const found = new Map<number, string[]>();
  const of = trialOfRun.value;
  for (const run of allRuns.value) {
    const trial = of(run);
    const list = found.get(trial);
    if (list === undefined) found.set(trial, [run]);
    else list.push(run);
  }
  return found;
});

export function runsOf(trial: number): readonly string[] {
  return runsByTrial.value.get(trial) ?? trials.value?.runs[trial] ?? [];
}

function touched(runs: readonly string[], count: number): Mask {
  const mask = new Uint8Array(count);
  const of = trialOfRun.value;
  for (const run of runs) {
    const trial = of(run);
    if (trial >= 0) mask[trial] = 1;
  }
  return mask;
}

/** 1 where some run of the trial is drawn on the board. */
export const drawnMask = computed<Mask>(() => touched(drawnRuns.value, trials.value?.count ?? 0));

/** Whether trials of hidden runs stand back. */
export const dimsHidden = computed(
  () => hidden.value === "dim" || (hidden.value === "auto" && allRuns.value.length <= MANY_RUNS),
);

export function showOnBoard(list: Iterable<number>, only: boolean): void {
  const runs = [...list].flatMap(runsOf);
  if (only) tickOnly(runs);
  else tick(runs, true);
}

/** The best so many of those listed by a metric; what is good its name tells, or the highest is. */
export function bestBy(column: TrialColumn, count: number): Int32Array {
  const sorted = sortTrials(listed.value, [{ column, down: column.goal !== "min" }]);
  return sorted.filter((trial) => !Number.isNaN(column.numbers[trial] ?? Number.NaN)).subarray(0, count);
}

export function hideOnBoard(list: Iterable<number>): void {
  tick([...list].flatMap(runsOf), false);
}

// ---- which are listed

const STATUS_WORDS: readonly string[] = STATUSES;

const statusColumn = computed(() => trials.value?.byId.get("status"));

const listedMask = computed<Mask>(() => {
  const now = trials.value;
  const count = now?.count ?? 0;
  const all = passingRuns.value.length === allRuns.value.length;
  const mask = all ? new Uint8Array(count).fill(1) : touched(passingRuns.value, count);
  if (now === null) return mask;
  for (const [id, filter] of Object.entries(filters.value)) {
    const column = now.byId.get(id);
    if (column !== undefined) applyFilter(mask, column, filter);
  }
  const out = new Set(leftOut.value.map((word) => STATUS_WORDS.indexOf(word)));
  const status = statusColumn.value?.numbers;
  if (out.size > 0 && status !== undefined) {
    for (let trial = 0; trial < count; trial++) if (out.has(status[trial] ?? 0)) mask[trial] = 0;
  }
  if (hidden.value === "out") {
    for (let trial = 0; trial < count; trial++) if (drawnMask.value[trial] === 0) mask[trial] = 0;
  }
  return mask;
});

function placesIn(mask: Mask): Int32Array {
  let count = 0;
  for (const one of mask) count += one;
  const found = new Int32Array(count);
  let at = 0;
  for (let trial = 0; trial < mask.length; trial++) if (mask[trial] === 1) found[at++] = trial;
  return found;
}

/** Places of the trials that pass every filter, as the server lists them. */
export const listed = computed<Int32Array>(() => placesIn(listedMask.value));

export const sortKeys = computed(() => sort.value.map(sortKey));

/** In the reader's order. */
export const ordered = computed<Int32Array>(() => {
  const known = trials.value?.byId;
  if (known === undefined) return listed.value;
  const keys = sortKeys.value.flatMap(({ column, down }) => {
    const found = column === "name" ? nameColumn.value : known.get(column);
    return found === undefined ? [] : [{ column: found, down }];
  });
  return sortTrials(listed.value, keys);
});

/** Names as numbers: the server lists trials in natural order. */
const nameColumn = computed<TrialColumn | undefined>(() => {
  const status = statusColumn.value;
  return (
    status && { ...status, id: "name", numbers: Float64Array.from({ length: status.numbers.length }, (_, at) => at) }
  );
});

export function setSort(id: string, down: boolean, more: boolean): void {
  const others = more ? sort.value.filter((one) => sortKey(one).column !== id) : [];
  changeView({ hparamsSort: [...others, `${down ? "-" : ""}${id}`] });
}

/** Up, down, not at all. */
export function cycleSort(id: string, more: boolean): void {
  const now = sortKeys.value.find(({ column }) => column === id);
  if (now === undefined) setSort(id, false, more);
  else if (!now.down) setSort(id, true, more);
  else changeView({ hparamsSort: more ? sort.value.filter((one) => sortKey(one).column !== id) : [] });
}

export function setFilter(id: string, filter: TrialFilter | null): void {
  const { [id]: _, ...others } = view.value.hparamsFilters;
  changeView({ hparamsFilters: filter === null ? others : { ...others, [id]: filter } });
}

export function toggleStatus(word: string, on: boolean): void {
  const now = leftOut.value.filter((one) => one !== word);
  changeView({ hparamsStatus: on ? now : [...now, word] });
}

export function clearFilters(): void {
  changeView({ hparamsFilters: {}, hparamsStatus: [], runFilter: "", hparamsHidden: "auto" });
}

// ---- which of them stand out

/** A brush being drawn: the view, and with it the address, is told when it is let go. */
export const draft = signal<Readonly<Record<string, TrialBrush>> | null>(null);

export const brushesNow = computed(() => draft.value ?? brushes.value);

const brushed = computed<Mask | null>(() => {
  const now = trials.value;
  return now === null ? null : brushMask(now.count, now.columns, brushesNow.value);
});

export const anyBrush = computed(() => brushed.value !== null);

/** 1 for trials that are listed and touched by the brushes; all that are listed without a brush. */
export const pickedMask = computed<Mask>(() => {
  const mask = brushed.value;
  if (mask === null) return listedMask.value;
  return listedMask.value.map((one, trial) => one & (mask[trial] ?? 0));
});

export const picked = computed<Int32Array>(() => (anyBrush.value ? placesIn(pickedMask.value) : listed.value));

/** Rows of the table: what is picked, in order. */
export const rows = computed<Int32Array>(() => {
  if (!anyBrush.value) return ordered.value;
  const mask = pickedMask.value;
  return ordered.value.filter((trial) => mask[trial] === 1);
});

export function setBrush(id: string, brush: TrialBrush | null): void {
  const { [id]: _, ...others } = brushesNow.peek();
  draft.value = null;
  changeView({ hparamsBrushes: brush === null || !hasBrush(brush) ? others : { ...others, [id]: brush } });
}

export function clearBrushes(): void {
  draft.value = null;
  changeView({ hparamsBrushes: {} });
}

// ---- pointing and keeping

const hovered = signal<number>(-1);

/** The trial under the pointer, here or in the list of runs; -1 for none. */
export const pointed = computed(() => {
  if (hovered.value >= 0) return hovered.value;
  const run = emphasisedRun.value;
  return run === null ? -1 : trialOfRun.value(run);
});

export function point(trial: number): void {
  if (hovered.peek() !== trial) hovered.value = trial;
}

const kept = member("hparamsTrial");

/** The trial whose details are shown; -1 for none. */
export const keptTrial = computed(() => (kept.value === "" ? -1 : placeOf(trials.value, kept.value)));

function placeOf(now: Trials | null, name: string): number {
  return now === null ? -1 : (placesByName.value.get(name) ?? -1);
}

const placesByName = computed<ReadonlyMap<string, number>>(
  () => new Map((trials.value?.names ?? []).map((name, trial) => [name, trial])),
);

export function keep(trial: number): void {
  changeView({ hparamsTrial: trial < 0 ? "" : (trials.peek()?.names[trial] ?? "") }, { apart: true });
}

const open = member("hparamsOpen");

export const openTrials = computed<ReadonlySet<string>>(() => new Set(open.value));

export function toggleOpen(name: string): void {
  changeView(
    { hparamsOpen: open.value.includes(name) ? open.value.filter((one) => one !== name) : [...open.value, name] },
    { apart: true },
  );
}

/** What is best of a metric: as its name says, or the lowest, or the highest. */
export function setGoal(id: string, goal: TrialGoal | null): void {
  const { [id]: _, ...others } = view.value.hparamsGoals;
  // goals go with metrics by name
  const named = view.value.hparamsMetrics;
  changeView({
    hparamsGoals: goal === null ? others : { ...others, [id]: goal },
    hparamsMetrics: named.length > 0 ? named : metricColumns.value.map((column) => column.id),
  });
}

// ---- axes and colours

export function scaleOf(column: TrialColumn): TrialScale {
  return scales.value[column.id] ?? usualScale(column);
}

export function setScale(id: string, scale: TrialScale): void {
  changeView({ hparamsScales: { ...scales.value, [id]: scale } });
}

export function isInverted(id: string): boolean {
  return inverted.value.includes(id);
}

export function toggleInverted(id: string): void {
  changeView({
    hparamsInverted: isInverted(id) ? inverted.value.filter((one) => one !== id) : [...inverted.value, id],
  });
}

// an axis is made of ten thousand numbers; while the pointer draws a brush it stays the same
const made = new WeakMap<TrialColumn, { readonly scale: TrialScale; readonly axis: TrialAxis }>();

export function axisFor(column: TrialColumn): TrialAxis {
  const scale = scaleOf(column);
  const known = made.get(column);
  if (known?.scale === scale) return known.axis;
  const axis = axisOf(column, scale);
  made.set(column, { scale, axis });
  return axis;
}

export const RUN_COLORS = "run";

/** The column whose values are colours; null: colours of runs. */
export const colorColumn = computed<TrialColumn | null>(() => {
  if (color.value === RUN_COLORS) return null;
  const chosen = trials.value?.byId.get(color.value);
  if (chosen !== undefined) return chosen;
  const metrics = [...shownColumns.value.filter(({ role }) => role === "metric"), ...metricColumns.value];
  return metrics.find((column) => dullness(column) === null) ?? metrics[0] ?? null;
});

// so many shades are as good as any number of them
export const SHADES = 64;

export const shades = computed<readonly string[]>(() => {
  const onTheme = theme.value;
  return Array.from({ length: SHADES }, (_, at) => sequential(at / (SHADES - 1), onTheme));
});

/** The colour of a trial in pictures. */
export const colorOfTrial = computed<(trial: number) => string>(() => {
  const column = colorColumn.value;
  const onTheme = theme.value;
  if (column === null) {
    const [of, now] = [colorOf.value, trials.value];
    return (trial) => {
      const run = now?.runs[trial]?.[0];
      return run === undefined ? GREY[onTheme] : of(run);
    };
  }
  const { places } = axisFor(column);
  const all = shades.value;
  return (trial) => {
    const place = places[trial] ?? Number.NaN;
    return Number.isNaN(place) ? GREY[onTheme] : (all[Math.round(place * (SHADES - 1))] ?? GREY[onTheme]);
  };
});
