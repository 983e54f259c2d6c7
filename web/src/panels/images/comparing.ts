// The other of two pictures: the same tag of its own or another run, at a step of its own or at that of the card. Chosen for
// all cards, or for one of them.

import type { KindCard } from "../../state/card_keys";
import type { AudioOther as Other } from "../../state/members/shared";
import { drawnRuns } from "../../state/runs";
import { placeOfStep } from "../../state/step_choice";
import { type SeriesSteps, stepsOf, type TagSteps } from "../../state/steps";
import { changeView, member } from "../../state/view";

export type { Other };

/** In place of a card's key. */
export const ALL = "";
// beyond any step that can be logged
export const FIRST_STEP = "-9223372036854775808";
export const NEWEST_STEP = "9223372036854775807";

const compare = member("imagesCompare");
const baseline = member("baseline");

/** The choice of the card, else that of all cards. */
export function otherOf(cardKey: string): Other | null {
  return compare.value[cardKey] ?? compare.value[ALL] ?? null;
}

/** The choice of this card alone, or of `ALL`. */
export function ownOther(cardKey: string): Other | null {
  return compare.value[cardKey] ?? null;
}

export function chooseOther(cardKey: string, other: Other | null): void {
  const { [cardKey]: _, ...rest } = compare.peek();
  changeView({ imagesCompare: other === null ? rest : { ...rest, [cardKey]: other } });
}

/** Runs a picture can be compared with: all drawn ones that have the tag. */
export function comparableRuns(card: KindCard): readonly string[] {
  const held = stepsOf(card.kind, card.tag).runs.value;
  return held === null ? [card.run] : drawnRuns.value.filter((run) => held.has(run));
}

export type OtherPicture = {
  readonly run: string;
  readonly series: SeriesSteps;
  readonly at: number;
  /** It goes where the card's own step goes. */
  readonly follows: boolean;
  /** It is the card's own picture. */
  readonly same: boolean;
};

/** Null: nothing was logged there. */
export function otherIn(
  held: TagSteps | null,
  card: Pick<KindCard, "run">,
  own: { readonly step: string; readonly at: number },
  other: Other,
): OtherPicture | null {
  const run = other.run ?? card.run;
  const series = held?.get(run);
  if (series === undefined || series.walls.length === 0) return null;
  const at = placeOfStep(series.steps, other.step === "" ? own.step : other.step);
  return { run, series, at, follows: other.step === "", same: run === card.run && at === own.at };
}

/** What all cards begin with: the baseline or the first drawn run, or the first step where there is one run. */
export function firstForAll(): Other {
  const drawn = drawnRuns.peek();
  if (drawn.length < 2) return { run: null, step: FIRST_STEP };
  const [first = ""] = drawn;
  return { run: drawn.includes(baseline.peek()) ? baseline.peek() : first, step: "" };
}

/** What one card begins with: another run, or another step where there is none. */
export function firstForCard(card: KindCard, series: SeriesSteps, at: number): Other {
  const another = comparableRuns(card).find((run) => run !== card.run);
  if (another !== undefined) return { run: another, step: "" };
  return { run: null, step: String(series.steps[at === 0 ? series.steps.length - 1 : 0] ?? "") };
}
