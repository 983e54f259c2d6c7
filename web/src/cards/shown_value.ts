// The value that a card shows now: its index in the series, and which element of it.

import { blobOf } from "../state/blobs";
import { choiceOf, type StepChoice, sampleOfCard } from "../state/step_choice";
import type { KindCardProps } from "./kind_card";

export type ShownValue = {
  readonly choice: StepChoice;
  /** Number of elements of the value; if 0, `url` returns nothing. */
  readonly count: number;
  readonly sample: number;
  /** A string, because it may have more digits than a double. */
  readonly step: string;
  readonly url: string;
};

export function shownOf({ card, series }: Pick<KindCardProps, "card" | "series">): ShownValue {
  const choice = choiceOf(card.key, series.steps);
  const count = series.counts[choice.at] ?? 0;
  const sample = sampleOfCard(card.key, count);
  const url = blobOf(card, series, choice.at, sample);
  return { choice, count, sample, step: String(series.steps[choice.at] ?? ""), url };
}
