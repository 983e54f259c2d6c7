// A slider over logged steps, with a play button. Arrows move one step, Home and End to the first and last, so that any
// of thousands of steps can be reached without typing.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatIso } from "../base/locale";
import type { KindCard } from "../state/card_keys";
import { chooseStep, type StepChoice } from "../state/step_choice";
import type { SeriesSteps, Wholes } from "../state/steps";
import { dateText, texts } from "../state/view";
import { Button } from "../widgets/button";
import "./step_slider.css";

const PLAY_MS = 400;

export type StepSliderProps = {
  readonly label: string;
  readonly steps: Wholes;
  /** Index in `steps`. */
  readonly at: number;
  /** It follows the newest step. */
  readonly newest: boolean;
  readonly onChoose: (at: number) => void;
  /** Follows the page or the newest step again; undefined while it does. */
  readonly onFollow?: (() => void) | undefined;
  /** Text for the step; default: its number. */
  readonly text?: string | undefined;
  /** Playback waits until the chosen step is rendered. */
  readonly busy?: boolean | undefined;
  /** Playback restarts after the last step. */
  readonly loop?: boolean | undefined;
  readonly testId?: string | undefined;
};

export function StepSlider(properties: StepSliderProps): JSX.Element {
  const { label, steps, at, newest, onChoose, onFollow, testId } = properties;
  const words = texts.value.cards;
  const playing = usePlaying(properties);
  const last = steps.length - 1;
  const text = properties.text ?? formatStep(steps[at]);
  return (
    <div class="step-slider">
      <Button
        kind="quiet"
        icon={playing.value ? "pause" : "play"}
        title={playing.value ? words.pause : words.play}
        disabled={last < 1}
        onClick={() => {
          playing.value = !playing.value;
          if (playing.value && at >= last) onChoose(0);
        }}
      />
      <input
        class="slider__range"
        type="range"
        aria-label={label}
        aria-valuetext={newest ? `${text}, ${words.newest}` : text}
        min={0}
        max={Math.max(0, last)}
        step={1}
        value={Math.max(0, at)}
        disabled={last < 1}
        data-testid={testId}
        onInput={(event) => {
          playing.value = false;
          onChoose(event.currentTarget.valueAsNumber);
        }}
      />
      <output class="step-slider__step" title={newest ? words.newest : undefined}>
        {text}
      </output>
      {onFollow !== undefined && (
        <Button
          kind="quiet"
          icon="to-end"
          title={words.follow}
          testId={testId && `${testId}-follow`}
          onClick={onFollow}
        />
      )}
    </div>
  );
}

/** Returns a signal; while it is true, the steps are chosen one after the other. */
function usePlaying(properties: StepSliderProps): Signal<boolean> {
  const { steps, at, busy = false, loop = false } = properties;
  const playing = useSignal(false);
  const now = useRef(properties);
  now.current = properties;
  const last = steps.length - 1;
  const going = playing.value && !busy && (loop ? last > 0 : at < last);
  useEffect(() => {
    if (!going) return;
    const next = (): number => (now.current.at >= now.current.steps.length - 1 ? 0 : now.current.at + 1);
    const timer = setTimeout(() => now.current.onChoose(next()), PLAY_MS);
    return () => clearTimeout(timer);
  }, [going, at]);
  useEffect(() => {
    if (playing.value && at >= last && !loop) playing.value = false;
  }, [at, last, loop, playing.value]);
  return playing;
}

/** Groups the digits of large numbers: 1 200 000. */
export function formatStep(step: number | bigint | undefined): string {
  if (step === undefined) return "–";
  return String(step)
    .replace(/\B(?=(\d{3})+$)/g, "\u2009")
    .replace(/^(-?\d)\u2009(\d{3})$/, "$1$2")
    .replace("-", "−");
}

type CardStepProps = {
  readonly card: KindCard;
  readonly series: SeriesSteps;
  readonly choice: StepChoice;
  readonly busy?: boolean | undefined;
  readonly loop?: boolean | undefined;
  /** Shown beside step and time: index of the sample, its size. */
  readonly children?: JSX.Element | null | undefined;
};

/** The footer of a card that shows one step: step and time, and a slider if there are several steps. */
export function CardStep({ card, series, choice, busy, loop, children }: CardStepProps): JSX.Element {
  const words = texts.value.cards;
  const { steps, walls } = series;
  const { at, by } = choice;
  const wall = walls[at];
  return (
    <footer class="card-step">
      <div class="card-step__caption">
        {steps.length < 2 && <span class="card-step__step">{words.atStep(formatStep(steps[at]))}</span>}
        {wall !== undefined && <WallTime wall={wall} />}
        {children}
      </div>
      {steps.length > 1 && (
        <StepSlider
          label={words.stepOf(card.tag)}
          steps={steps}
          at={at}
          newest={by === "newest"}
          busy={busy}
          loop={loop}
          onChoose={(place) => chooseStep(card.key, steps[place] ?? null)}
          onFollow={by === "card" ? () => chooseStep(card.key, null) : undefined}
          testId="card-step"
        />
      )}
    </footer>
  );
}

function WallTime({ wall }: { readonly wall: number }): JSX.Element | null {
  const text = dateText(wall, "second");
  if (text === null) return null;
  return (
    <time class="card-step__time" title={formatIso(wall) ?? undefined}>
      {text}
    </time>
  );
}
