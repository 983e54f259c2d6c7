// Chooses the element to show if a value has several: "2 / 4" between two buttons. Renders nothing if there is one.

import type { JSX } from "preact";
import type { KindCard } from "../state/card_keys";
import { chooseSample } from "../state/step_choice";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import "./sample_choice.css";

type Properties = { readonly card: KindCard; readonly at: number; readonly count: number };

export function SampleChoice({ card, at, count }: Properties): JSX.Element | null {
  const words = texts.value.cards;
  if (count < 2) return null;
  const go = (by: number): void => chooseSample(card.key, (at + by + count) % count);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a caption
    <span class="sample-choice" role="group" aria-label={words.sampleHint} title={words.sampleHint}>
      <Button kind="quiet" icon="left" title={words.previousSample} testId="previous-sample" onClick={() => go(-1)} />
      <span data-testid="sample">{words.sample(at + 1, count)}</span>
      <Button kind="quiet" icon="right" title={words.nextSample} testId="next-sample" onClick={() => go(1)} />
    </span>
  );
}
