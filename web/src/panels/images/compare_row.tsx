// Which picture is B of the comparison in one card.

import type { JSX } from "preact";
import { StepSlider } from "../../cards/step_slider";
import type { KindCard } from "../../state/card_keys";
import { shownName } from "../../state/runs";
import * as imagesWords from "../../state/texts/images";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import "./compare_row.css";
import { chooseOther, comparableRuns, type Other, type OtherPicture } from "./comparing";

type Properties = {
  readonly card: KindCard;
  readonly other: Other;
  readonly picture: OtherPicture | null;
};

export function CompareRow({ card, other, picture }: Properties): JSX.Element {
  const words = spoken(imagesWords);
  const runs = comparableRuns(card);
  const chosen = other.run ?? card.run;
  const options = (runs.includes(chosen) ? runs : [chosen, ...runs]).map((run) => ({
    value: run,
    label: run === card.run ? `${words.ownRun} · ${shownName(run)}` : shownName(run),
  }));
  return (
    <div class="images-compare-row">
      <b aria-hidden="true">B</b>
      <span class="images-compare-row__run" title={words.otherRun}>
        <Select
          label={words.otherRun}
          bare
          value={chosen}
          options={options}
          testId="images-other-run"
          onChange={(run) => chooseOther(card.key, { ...other, run: run === card.run ? null : run })}
        />
      </span>
      {picture === null ? (
        <span class="images-compare-row__none">{words.noOther}</span>
      ) : (
        <div class="images-compare-row__step">
          <StepSlider
            label={words.otherStep}
            steps={picture.series.steps}
            at={picture.at}
            newest={false}
            testId="images-other-step"
            onChoose={(at) => chooseOther(card.key, { ...other, step: String(picture.series.steps[at] ?? "") })}
            onFollow={picture.follows ? undefined : () => chooseOther(card.key, { ...other, step: "" })}
          />
        </div>
      )}
      <Button
        kind="quiet"
        icon="close"
        title={words.stopCompare}
        testId="images-stop-compare"
        onClick={() => chooseOther(card.key, null)}
      />
    </div>
  );
}
