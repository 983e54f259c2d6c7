// Which image a card is compared with, chosen for all cards or for one card.

import { anotherRun, anotherStep, withChoice } from "../../cards/comparing";
import { kinds } from "../../state/board";
import type { KindCard } from "../../state/card_keys";
import type { ComparedWith } from "../../state/members/shared";
import { drawnRuns } from "../../state/runs";
import { type SeriesSteps, stepsOf } from "../../state/steps";
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

/** Drawn runs that have images, of the tags whose steps are loaded. */
export function runsWithImages(): readonly string[] {
  const found = new Set<string>();
  for (const tag of kinds.value.images?.tag ?? []) {
    for (const run of stepsOf("images", tag).runs.value?.keys() ?? []) found.add(run);
  }
  return drawnRuns.value.filter((run) => found.has(run));
}

/** Default for all cards: the baseline or the first run with images, or the first step if there is only one run. */
export function firstForAll(): ComparedWith {
  const runs = runsWithImages();
  const [first] = runs;
  if (first === undefined || runs.length < 2) return { run: null, step: FIRST_STEP };
  return { run: runs.includes(baseline.peek()) ? baseline.peek() : first, step: "" };
}

/** Default for one card: another run, or another step if there is no other run. */
export function firstForCard(card: KindCard, series: SeriesSteps, at: number): ComparedWith {
  const run = anotherRun(card);
  return run === undefined ? { run: null, step: anotherStep(series, at) } : { run, step: "" };
}
