// Toolbar of all curve charts: type of curve, marked threshold, and format of steps.

import type { JSX } from "preact";
import { PR_CURVE_MODES, PR_CURVE_TIMES } from "../../state/members/pr_curves";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Choice } from "../../widgets/choice";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import "./pr_curves_toolbar.css";
import { RunSteps } from "./run_steps";

const FIRST_THRESHOLD = 0.5;

export function PrCurvesToolbar(): JSX.Element {
  const words = spoken(prCurvesWords);
  const { prCurvesMode, prCurvesRuns } = view.value;
  return (
    <>
      <Choice
        label={words.mode}
        value={prCurvesMode}
        options={PR_CURVE_MODES.map((mode) => ({
          value: mode,
          label: words.modes[mode],
          title: words.modeHints[mode],
        }))}
        testId="pr-mode"
        onChoose={(mode) => changeView({ prCurvesMode: mode })}
      />
      <Threshold />
      {prCurvesRuns && <RunSteps />}
    </>
  );
}

export function PrCurvesOptions(): JSX.Element {
  const words = spoken(prCurvesWords);
  const { prCurvesTime, prCurvesRuns } = view.value;
  return (
    <>
      <Select
        label={words.time}
        value={prCurvesTime}
        testId="pr-time"
        options={PR_CURVE_TIMES.map((value) => ({ value, label: words.times[value] }))}
        onChange={(time) => changeView({ prCurvesTime: time })}
      />
      <Checkbox
        label={words.runSteps}
        title={words.runStepsHint}
        checked={prCurvesRuns}
        testId="pr-runs"
        onChange={(on) => changeView({ prCurvesRuns: on })}
      />
    </>
  );
}

function Threshold(): JSX.Element {
  const words = spoken(prCurvesWords);
  const { prCurvesThreshold } = view.value;
  const marked = prCurvesThreshold !== null;
  return (
    <div class="pr-toolbar__threshold">
      <Button
        label={words.threshold}
        title={words.thresholdHint}
        pressed={marked}
        testId="pr-threshold-on"
        onClick={() => changeView({ prCurvesThreshold: marked ? null : FIRST_THRESHOLD })}
      />
      {marked && (
        <Slider
          label={words.threshold}
          bare
          value={prCurvesThreshold}
          min={0}
          max={1}
          step={0.005}
          numberField={{ max: 1, step: 0.01 }}
          testId="pr-threshold"
          onInput={(threshold) => changeView({ prCurvesThreshold: threshold })}
        />
      )}
    </div>
  );
}
