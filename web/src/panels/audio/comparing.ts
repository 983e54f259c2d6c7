// The other side of a card that compares two clips: the same tag of its own or another run, at a step of its own or at
// the step of the card.

import type { KindCard } from "../../state/card_keys";
import type { AudioOther } from "../../state/members/shared";
import { drawnRuns } from "../../state/runs";
import { placeOfStep } from "../../state/step_choice";
import { type SeriesSteps, stepsOf, type TagSteps } from "../../state/steps";
import { changeView, member } from "../../state/view";

const compare = member("audioCompare");

/** Null where the card shows one clip. */
export function otherOf(cardKey: string): AudioOther | null {
  return compare.value[cardKey] ?? null;
}

export function chooseOther(cardKey: string, other: AudioOther | null): void {
  const { [cardKey]: _, ...rest } = compare.peek();
  changeView({ audioCompare: other === null ? rest : { ...rest, [cardKey]: other } });
}

/** Runs a clip can be compared with: all drawn ones that have the tag. */
export function comparableRuns(card: KindCard): readonly string[] {
  const held = stepsOf(card.kind, card.tag).runs.value;
  return held === null ? [card.run] : drawnRuns.value.filter((run) => held.has(run));
}

export type OtherClip = {
  readonly run: string;
  readonly series: SeriesSteps;
  readonly at: number;
  /** It goes where the card's own step goes. */
  readonly follows: boolean;
};

export function otherClip(card: KindCard, ownStep: string, { run, step }: AudioOther): OtherClip | null {
  return clipIn(stepsOf(card.kind, card.tag).runs.value, run ?? card.run, step === "" ? ownStep : step, step === "");
}

export function clipIn(held: TagSteps | null, run: string, step: string, follows: boolean): OtherClip | null {
  const series = held?.get(run);
  if (series === undefined || series.walls.length === 0) return null;
  return { run, series, at: placeOfStep(series.steps, step), follows };
}

/** What to begin with: the first step of the same run, or another run where there is no other step. */
export function firstOther(card: KindCard, series: SeriesSteps, at: number): AudioOther {
  const steps = series.steps;
  if (steps.length > 1) return { run: null, step: String(steps[at === 0 ? steps.length - 1 : 0] ?? "") };
  const another = comparableRuns(card).find((run) => run !== card.run);
  return { run: another ?? null, step: "" };
}
