// Side B of a card that compares two images or two clips: the same tag in the same or another run, at a fixed step or
// at the step of the card. The panel decides where the choice is stored.

import type { KindCard } from "../state/card_keys";
import type { ComparedWith } from "../state/members/shared";
import { drawnRuns } from "../state/runs";
import { placeOfStep } from "../state/step_choice";
import { type SeriesSteps, stepsOf, type TagSteps } from "../state/steps";

export type OtherSide = {
  readonly run: string;
  readonly series: SeriesSteps;
  readonly at: number;
  /** Its step follows the step of the card. */
  readonly follows: boolean;
  /** It is the same value as side A. */
  readonly same: boolean;
};

/** Returns null if that run has no value of this tag. */
export function otherIn(
  held: TagSteps | null,
  card: Pick<KindCard, "run">,
  own: { readonly step: string; readonly at: number },
  other: ComparedWith,
): OtherSide | null {
  const run = other.run ?? card.run;
  const series = held?.get(run);
  if (series === undefined || series.walls.length === 0) return null;
  const at = placeOfStep(series.steps, other.step === "" ? own.step : other.step);
  return { run, series, at, follows: other.step === "", same: run === card.run && at === own.at };
}

type Choices = Readonly<Record<string, ComparedWith>>;

/** Returns the choices of all cards, changed for this card; null ends its comparison. */
export function withChoice(choices: Choices, cardKey: string, other: ComparedWith | null): Choices {
  const { [cardKey]: _, ...rest } = choices;
  return other === null ? rest : { ...rest, [cardKey]: other };
}

/** Returns the runs that a card can be compared with: all drawn runs that have the tag. */
export function comparableRuns(card: KindCard): readonly string[] {
  const held = stepsOf(card.kind, card.tag).runs.value;
  return held === null ? [card.run] : drawnRuns.value.filter((run) => held.has(run));
}

export function anotherRun(card: KindCard): string | undefined {
  return comparableRuns(card).find((run) => run !== card.run);
}

/** Returns the first step of a series, or the last if the card shows the first. */
export function anotherStep({ steps }: SeriesSteps, at: number): string {
  return String(steps[at === 0 ? steps.length - 1 : 0] ?? "");
}
