// One step slider per run, for all its curves.

import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { distinctSteps } from "../../cards/distinct_steps";
import { RunMark } from "../../cards/kind_card";
import { RunName } from "../../cards/run_name";
import { StepSlider } from "../../cards/step_slider";
import { kinds } from "../../state/board";
import { drawnRuns, shownName } from "../../state/runs";
import { choiceOf, chooseStep } from "../../state/step_choice";
import { type SeriesSteps, stepsOf } from "../../state/steps";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { spoken } from "../../state/view";
import { firstWall, KIND, runKey, stepLabel } from "./run_choice";
import "./run_steps.css";

// more sliders would be of no use
const MOST = 200;

export function RunSteps(): JSX.Element {
  const words = spoken(prCurvesWords);
  const byRun = useComputed<ReadonlyMap<string, readonly SeriesSteps[]>>(() => {
    const byRun = new Map<string, SeriesSteps[]>();
    for (const tag of kinds.value[KIND]?.tag ?? []) {
      for (const [run, series] of stepsOf(KIND, tag).runs.value ?? []) {
        const held = byRun.get(run);
        if (held === undefined) byRun.set(run, [series]);
        else held.push(series);
      }
    }
    return byRun;
  });
  const runs = drawnRuns.value.filter((run) => byRun.value.has(run));
  return (
    <div class="run-steps" data-testid="run-steps">
      {runs.slice(0, MOST).map((run) => (
        <RunStep key={run} run={run} all={byRun.value.get(run) ?? []} />
      ))}
      {runs.length > MOST && <span class="run-steps__more">{words.more(runs.length - MOST)}</span>}
    </div>
  );
}

function RunStep({ run, all }: { readonly run: string; readonly all: readonly SeriesSteps[] }): JSX.Element {
  const words = spoken(prCurvesWords);
  const steps = distinctSteps(all.map((series) => series.steps));
  const { at, by } = choiceOf(runKey(run), steps);
  const textAt = (place: number): string => {
    const step = steps[place];
    for (const series of all) {
      for (let i = 0; i < series.steps.length; i++) {
        if (series.steps[i] === step) return stepLabel(step ?? 0, series.walls[i], firstWall(series));
      }
    }
    return stepLabel(step ?? 0, undefined, undefined);
  };
  return (
    <div class="run-steps__run" data-run={run}>
      <RunMark run={run} />
      <span class="run-steps__name" title={run}>
        <RunName run={run} />
      </span>
      <StepSlider
        label={words.runStep(shownName(run))}
        steps={steps}
        at={at}
        newest={by === "newest"}
        text={textAt(at)}
        onChoose={(place) => chooseStep(runKey(run), steps[place] ?? null)}
        onFollow={by === "card" ? () => chooseStep(runKey(run), null) : undefined}
        testId="run-step"
      />
    </div>
  );
}
