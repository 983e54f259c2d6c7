// The clip that each card is compared with.

import { anotherRun, anotherStep, type OtherSide, otherIn, withChoice } from "../../cards/comparing";
import type { KindCard } from "../../state/card_keys";
import type { ComparedWith } from "../../state/members/shared";
import { type SeriesSteps, stepsOf } from "../../state/steps";
import { changeView, member } from "../../state/view";

const compare = member("audioCompare");

/** Returns null if the card shows only one clip. */
export function otherOf(cardKey: string): ComparedWith | null {
  return compare.value[cardKey] ?? null;
}

export function chooseOther(cardKey: string, other: ComparedWith | null): void {
  changeView({ audioCompare: withChoice(compare.peek(), cardKey, other) });
}

export function otherClip(
  card: KindCard,
  own: { readonly step: string; readonly at: number },
  other: ComparedWith,
): OtherSide | null {
  return otherIn(stepsOf(card.kind, card.tag).runs.value, card, own, other);
}

/** Default: another step of the same run, or another run if there is only one step. */
export function firstOther(card: KindCard, series: SeriesSteps, at: number): ComparedWith {
  if (series.steps.length > 1) return { run: null, step: anotherStep(series, at) };
  return { run: anotherRun(card) ?? null, step: "" };
}
