// The step of each run: one choice for all tags of a run, as in TensorBoard, or the page's step.

import { formatStep } from "../../cards/step_slider";
import { kindCard } from "../../state/card_keys";
import type { CurvePlace } from "../../state/pr_curves";
import { choiceOf } from "../../state/step_choice";
import type { SeriesSteps, TagSteps } from "../../state/steps";
import { dateText, durationText, member } from "../../state/view";

const time = member("prCurvesTime");

export const KIND = "pr_curves";

/** Key for all cards of a run. */
export function runKey(run: string): string {
  return kindCard(KIND, "", run).key;
}

/** The step of each run that a card shows now. Reads signals, so the caller runs again after changes. */
export function placesOf(tag: string, all: TagSteps): readonly CurvePlace[] {
  return [...all].flatMap(([run, { steps, walls }]) => {
    const { at } = choiceOf(runKey(run), steps);
    const step = steps[at];
    return step === undefined ? [] : [{ run, tag, step: String(step), wall: walls[at] ?? Number.NaN }];
  });
}

/** Formats a step as the user chose. */
export function stepLabel(step: number | bigint | string, wall: number | undefined, first: number | undefined): string {
  if (time.value === "wall" && wall !== undefined) return dateText(wall, "second") ?? "–";
  if (time.value === "relative" && wall !== undefined && first !== undefined) return durationText(wall - first);
  return formatStep(typeof step === "string" ? BigInt(step) : step);
}

export function firstWall(series: SeriesSteps | undefined): number | undefined {
  return series?.walls.find(Number.isFinite);
}
