// Axes and colors of the charts of trials.

import { computed } from "@preact/signals";
import { GREY, sequential } from "../base/color";
import { metricColumns, shownColumns } from "./hparams_columns";
import type { TrialScale } from "./members/hparams";
import { colorOf } from "./runs";
import { theme } from "./theme";
import { trials } from "./trials";
import { dullness, type TrialColumn } from "./trials_columns";
import { axisOf, type TrialAxis, usualScale } from "./trials_scales";
import { changeView, member } from "./view";

const scales = member("hparamsScales");
const inverted = member("hparamsInverted");
const color = member("hparamsColor");

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

// cached: an axis is computed from ten thousand numbers, and it does not change while the user drags a brush
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

/** The column whose values define the colors; null: colors of runs. */
export const colorColumn = computed<TrialColumn | null>(() => {
  if (color.value === RUN_COLORS) return null;
  const chosen = trials.value?.byId.get(color.value);
  if (chosen !== undefined) return chosen;
  const metrics = [...shownColumns.value.filter(({ role }) => role === "metric"), ...metricColumns.value];
  return metrics.find((column) => dullness(column) === null) ?? metrics[0] ?? null;
});

// more shades could not be distinguished
export const SHADES = 64;

export const shades = computed<readonly string[]>(() => {
  const onTheme = theme.value;
  return Array.from({ length: SHADES }, (_, at) => sequential(at / (SHADES - 1), onTheme));
});

/** Returns the color of a trial in charts. */
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
