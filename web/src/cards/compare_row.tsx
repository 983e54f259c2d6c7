// A row of a card that shows and changes the run and step of side B of a comparison.

import type { JSX } from "preact";
import type { KindCard } from "../state/card_keys";
import type { ComparedWith } from "../state/members/shared";
import { shownName } from "../state/runs";
import { Button } from "../widgets/button";
import { Select } from "../widgets/select";
import { comparableRuns, type OtherSide } from "./comparing";
import { StepSlider } from "./step_slider";

type Words = Readonly<Record<"ownRun" | "otherRun" | "otherStep" | "noOther" | "stopCompare", string>>;

type Properties = {
  /** Prefix of class names and test ids. */
  readonly kind: "audio" | "images";
  readonly words: Words;
  readonly card: KindCard;
  readonly other: ComparedWith;
  /** Null: that run has no value of this tag. */
  readonly side: OtherSide | null;
  readonly onChoose: (other: ComparedWith | null) => void;
};

export function CompareRow({ kind, words, card, other, side, onChoose }: Properties): JSX.Element {
  const runs = comparableRuns(card);
  const chosen = other.run ?? card.run;
  const options = (runs.includes(chosen) ? runs : [chosen, ...runs]).map((run) => ({
    value: run,
    label: run === card.run ? `${words.ownRun} · ${shownName(run)}` : shownName(run),
  }));
  const block = `${kind}-compare-row`;
  return (
    <div class={block}>
      <b class={`${block}__letter`} aria-hidden="true">
        B
      </b>
      <span class={`${block}__run`} title={words.otherRun}>
        <Select
          label={words.otherRun}
          bare
          value={chosen}
          options={options}
          testId={`${kind}-other-run`}
          onChange={(run) => onChoose({ ...other, run: run === card.run ? null : run })}
        />
      </span>
      {side === null ? (
        <span class={`${block}__none`}>{words.noOther}</span>
      ) : (
        <div class={`${block}__step`}>
          <StepSlider
            label={words.otherStep}
            steps={side.series.steps}
            at={side.at}
            newest={false}
            testId={`${kind}-other-step`}
            onChoose={(at) => onChoose({ ...other, step: String(side.series.steps[at] ?? "") })}
            onFollow={side.follows ? undefined : () => onChoose({ ...other, step: "" })}
          />
        </div>
      )}
      <Button
        kind="quiet"
        icon="close"
        title={words.stopCompare}
        testId={`${kind}-stop-compare`}
        onClick={() => onChoose(null)}
      />
    </div>
  );
}
