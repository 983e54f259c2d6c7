// The highlighted trials: those of the listed ones that are inside of all brushes.

import { computed, signal } from "@preact/signals";
import { listed, listedMask, ordered, placesIn } from "./hparams_listed";
import { trials } from "./trials";
import { brushMask, hasBrush, type Mask, type TrialBrush } from "./trials_filter";
import { changeView, member } from "./view";

const brushes = member("hparamsBrushes");

/** A brush being dragged. It is written into the view, and so into the URL, when the pointer is released. */
export const draft = signal<Readonly<Record<string, TrialBrush>> | null>(null);

export const brushesNow = computed(() => draft.value ?? brushes.value);

const brushed = computed<Mask | null>(() => {
  const now = trials.value;
  return now === null ? null : brushMask(now.count, now.columns, brushesNow.value);
});

export const anyBrush = computed(() => brushed.value !== null);

/** 1 for listed trials that are inside of all brushes; without a brush, for all listed ones. */
export const pickedMask = computed<Mask>(() => {
  const mask = brushed.value;
  if (mask === null) return listedMask.value;
  return listedMask.value.map((one, trial) => one & (mask[trial] ?? 0));
});

export const picked = computed<Int32Array>(() => (anyBrush.value ? placesIn(pickedMask.value) : listed.value));

/** Rows of the table: the picked trials, in order. */
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
