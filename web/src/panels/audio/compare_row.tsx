// Which clip is B of a comparison.

import type { JSX } from "preact";
import { StepSlider } from "../../cards/step_slider";
import type { KindCard } from "../../state/card_keys";
import type { AudioOther } from "../../state/members/shared";
import { shownName } from "../../state/runs";
import * as audioWords from "../../state/texts/audio";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import "./compare_row.css";
import { chooseOther, comparableRuns, type OtherClip } from "./comparing";

type Properties = {
  readonly card: KindCard;
  readonly other: AudioOther;
  readonly clip: OtherClip | null;
};

export function CompareRow({ card, other, clip }: Properties): JSX.Element {
  const words = spoken(audioWords);
  const runs = comparableRuns(card);
  const chosen = other.run ?? card.run;
  const options = (runs.includes(chosen) ? runs : [chosen, ...runs]).map((run) => ({
    value: run,
    label: run === card.run ? `${words.ownRun} · ${shownName(run)}` : shownName(run),
  }));
  const steps = clip?.series.steps;
  return (
    <div class="compare-row">
      <span class="compare-row__letter" aria-hidden="true">
        B
      </span>
      <span class="compare-row__run" title={words.otherRun}>
        <Select
          label={words.otherRun}
          bare
          value={chosen}
          options={options}
          testId="audio-other-run"
          onChange={(run) => chooseOther(card.key, { ...other, run: run === card.run ? null : run })}
        />
      </span>
      {clip === null || steps === undefined ? (
        <span class="compare-row__none">{words.noOther}</span>
      ) : (
        <div class="compare-row__step">
          <StepSlider
            label={words.otherStep}
            steps={steps}
            at={clip.at}
            newest={false}
            testId="audio-other-step"
            onChoose={(at) => chooseOther(card.key, { ...other, step: String(steps[at] ?? "") })}
            onFollow={clip.follows ? undefined : () => chooseOther(card.key, { ...other, step: "" })}
          />
        </div>
      )}
      <Button
        kind="quiet"
        icon="close"
        title={words.stopCompare}
        testId="audio-stop-compare"
        onClick={() => chooseOther(card.key, null)}
      />
    </div>
  );
}
