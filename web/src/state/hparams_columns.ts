// Columns of the table of trials, which are also the axes of its charts: which are shown, in which order and width, and
// whether low or high values of a metric are best.

import { computed } from "@preact/signals";
import type { TrialGoal } from "./members/hparams";
import { trials } from "./trials";
import { dullness, type TrialColumn } from "./trials_columns";
import { contentPx } from "./trials_widths";
import { changeView, member, view } from "./view";

const chosenColumns = member("hparamsColumns");
const widths = member("hparamsWidths");

// TensorBoard starts with five of each
const FIRST_HPARAMS = 7;
const FIRST_METRICS = 5;

export const hparamColumns = computed(() => columnsOf("hparam"));
export const metricColumns = computed(() => columnsOf("metric"));

/** Columns with different values are first. */
function columnsOf(role: TrialColumn["role"]): readonly TrialColumn[] {
  const all = (trials.value?.columns ?? []).filter((column) => column.role === role);
  return [...all.filter(({ differs }) => differs), ...all.filter(({ differs }) => !differs)];
}

/** Columns that most trials have are first: several programs may have logged here. */
function mostTold(columns: readonly TrialColumn[]): readonly TrialColumn[] {
  const told = new Map(columns.map((column) => [column, column.numbers.filter((one) => !Number.isNaN(one)).length]));
  return [...columns].sort((a, b) => (told.get(b) ?? 0) - (told.get(a) ?? 0));
}

const usualColumns = computed<readonly string[]>(() => {
  // repeats are averaged, and what they differ in (a seed) has no value in any trial
  const valued = hparamColumns.value.filter((column) => dullness(column) !== "empty");
  const all = valued.length > 0 ? valued : hparamColumns.value;
  const differing = all.filter(({ differs }) => differs);
  const settings = mostTold(differing.length > 0 ? differing : all).slice(0, FIRST_HPARAMS);
  const metrics = mostTold(metricColumns.value).slice(0, FIRST_METRICS);
  return [...settings, ...metrics].map(({ id }) => id);
});

/** Columns of the table and axes, in order; unknown columns are skipped. */
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

/** A new hparam is inserted after the last hparam, a metric at the end. */
function placed(now: readonly string[], id: string): readonly string[] {
  const isHparam = (one: string): boolean => one.startsWith("hparam:");
  const after = isHparam(id) ? now.lastIndexOf([...now].reverse().find(isHparam) ?? "") + 1 : now.length;
  return [...now.slice(0, after), id, ...now.slice(after)];
}

// an empty list would mean the default columns
export const NO_COLUMN = "none";

export function setColumns(ids: readonly string[]): void {
  changeView({ hparamsColumns: ids.length === 0 ? [NO_COLUMN] : ids });
}

/** Moves a column to the position of another. */
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
  return contentWidths.value.get(id) ?? USUAL_PX;
}

const USUAL_PX = 104;

const contentWidths = computed<ReadonlyMap<string, number>>(() => {
  const { columns = [], repeated = false } = trials.value ?? {};
  return new Map(
    columns.filter(({ role }) => role !== "fact").map((column) => [column.id, contentPx(column, repeated)]),
  );
});

export function setWidth(id: string, widthPx: number): void {
  changeView({ hparamsWidths: { ...widths.value, [id]: Math.round(Math.min(2000, Math.max(48, widthPx))) } });
}

/** Sets whether the lowest or the highest value of a metric is best; null: derived from its name. */
export function setGoal(id: string, goal: TrialGoal | null): void {
  const { [id]: _, ...others } = view.value.hparamsGoals;
  // goals are sent together with the names of metrics
  const named = view.value.hparamsMetrics;
  changeView({
    hparamsGoals: goal === null ? others : { ...others, [id]: goal },
    hparamsMetrics: named.length > 0 ? named : metricColumns.value.map((column) => column.id),
  });
}
