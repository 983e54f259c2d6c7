// The frame of the page: top bar, run list, and the page in the middle or the reason why there is none.

import type { JSX } from "preact";
import { RunSidebar } from "../panels/runs/run_sidebar";
import { TimeseriesPanel } from "../panels/timeseries/timeseries_panel";
import { board, problem, runs } from "../state/board";
import { texts } from "../state/view";

export function App(): JSX.Element {
  return (
    <div class="page">
      <header>
        <h1>{board.value?.name || "Lightboard"}</h1>
      </header>
      <Body />
    </div>
  );
}

function Body(): JSX.Element {
  if (runs.value === null) return <p>{problem.value?.message ?? texts.value.shell.loading}</p>;
  return (
    <div class="board">
      <RunSidebar />
      <TimeseriesPanel />
    </div>
  );
}
