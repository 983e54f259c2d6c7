// The page of trials: a toolbar, the side pane and one of four views.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import { followColors } from "../../cards/chart_colors";
import { keptTrial } from "../../state/hparams";
import { narrow, narrowPane } from "../../state/layout";
import { wantHparams } from "../../state/run_columns";
import { followTrials, retryTrials, trials, trialsBusy, trialsProblem } from "../../state/trials";
import { member } from "../../state/view";
import { BrushBar } from "./brush_bar";
import { ColumnsPane } from "./columns_pane";
import "./hparams_panel.css";
import { HparamsToolbar } from "./hparams_toolbar";
import { ImportanceView } from "./importance_view";
import { NoTrials } from "./no_trials";
import { ParallelView } from "./parallel_view";
import { ScatterView } from "./scatter_view";
import { KeptTrial } from "./trial_details";
import { TrialsTable } from "./trials_table";
import { words } from "./words";

const shownView = member("hparamsView");
const pane = member("hparamsPane");
const colorBy = member("colorBy");

export function HparamsPanel(): JSX.Element {
  const t = words();
  useEffect(() => {
    const stops = [followTrials(), followColors()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  // coloring runs by an hparam needs its values
  useEffect(() => (colorBy.value.startsWith("hparam:") ? wantHparams() : undefined), [colorBy.value]);
  const now = trials.value;
  const problem = trialsProblem.value;
  if (now === null) {
    return (
      <main class="hparams" data-testid="hparams-page" aria-busy={problem === null}>
        {problem === null ? (
          <p class="hparams__loading" role="status">
            {t.loading}
          </p>
        ) : (
          <CardProblem title={t.failed} message={`${problem.message} ${problem.hint}`.trim()} onRetry={retryTrials} />
        )}
      </main>
    );
  }
  if (now.count === 0) {
    return (
      <main class="hparams" data-testid="hparams-page">
        <NoTrials />
      </main>
    );
  }
  return (
    <main class="hparams" data-testid="hparams-page" data-trials={now.count}>
      <HparamsToolbar />
      <BrushBar />
      {problem !== null && (
        <p class="hparams__problem" role="alert">
          {t.failed}: {problem.message}
        </p>
      )}
      <div class="hparams__body" aria-busy={trialsBusy.value}>
        {(narrow.value ? narrowPane.value : pane.value) && <ColumnsPane />}
        <div class="hparams__view">
          <View />
        </div>
        {shownView.value !== "table" && keptTrial.value >= 0 && <KeptTrial trial={keptTrial.value} />}
      </div>
    </main>
  );
}

function View(): JSX.Element {
  if (shownView.value === "parallel") return <Split picture={<ParallelView />} />;
  if (shownView.value === "scatter") return <Split picture={<ScatterView />} />;
  return shownView.value === "importance" ? <ImportanceView /> : <TrialsTable />;
}

/** The picture above, the table of its trials below. */
function Split({ picture }: { readonly picture: JSX.Element }): JSX.Element {
  return (
    <div class="hparams__split">
      <div class="hparams__picture">{picture}</div>
      <TrialsTable beside />
    </div>
  );
}
