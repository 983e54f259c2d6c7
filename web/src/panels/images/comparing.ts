// Which image a card is compared with, chosen for all cards or for one card.

import { anotherRun, anotherStep, withChoice } from "../../cards/comparing";
import type { KindCard } from "../../state/card_keys";
import type { ComparedWith } from "../../state/members/shared";
import { drawnRuns } from "../../state/runs";
import type { SeriesSteps } from "../../state/steps";
import { changeView, member } from "../../state/view";

/** Used instead of a card key. */
export const ALL = "";
// the smallest and the largest 64-bit integer: no step is outside of this range
export const FIRST_STEP = "-9223372036854775808";
export const NEWEST_STEP = "9223372036854775807";

const compare = member("imagesCompare");
const baseline = member("baseline");

/** Returns the choice of the card, or else that of all cards. */
export function otherOf(cardKey: string): ComparedWith | null {
  return compare.value[cardKey] ?? compare.value[ALL] ?? null;
}

/** Returns the choice of this card only, or of `ALL`. */
export function ownOther(cardKey: string): ComparedWith | null {
  return compare.value[cardKey] ?? null;
}

export function chooseOther(cardKey: string, other: ComparedWith | null): void {
  changeView({ imagesCompare: withChoice(compare.peek(), cardKey, other) });
}

/** Default for all cards: the baseline or the first drawn run, or the first step if there is only one run. */
export function firstForAll(): ComparedWith {
  const drawn = drawnRuns.peek();
  if (drawn.length < 2) return { run: null, step: FIRST_STEP };
  const [first = ""] = drawn;
  return { run: drawn.includes(baseline.peek()) ? baseline.peek() : first, step: "" };
}

/** Default for one card: another run, or another step if there is no other run. */
export function firstForCard(card: KindCard, series: SeriesSteps, at: number): ComparedWith {
  const run = anotherRun(card);
  return run === undefined ? { run: null, step: anotherStep(series, at) } : { run, step: "" };
}
