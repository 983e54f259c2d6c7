// The state of a run as a small mark: recognizable by its shape first and its color second, with words in the tooltip.

import type { JSX } from "preact";
import { factsOf, type RunState } from "../../state/run_facts";
import { texts } from "../../state/view";
import { formatAge, stateWord } from "./format";
import "./state_mark.css";

const SHAPES: Readonly<Record<RunState, JSX.Element>> = {
  running: <path d="M2.5 1.2 L9.2 5 L2.5 8.8 Z" fill="currentColor" />,
  idle: <path d="M2 1.5h2.2v7H2zM5.8 1.5H8v7H5.8z" fill="currentColor" />,
  finished: <path d="M1.5 5.2 L4 7.7 L8.5 2.3" fill="none" stroke="currentColor" stroke-width="1.6" />,
  crashed: <path d="M2 2 L8 8 M8 2 L2 8" fill="none" stroke="currentColor" stroke-width="1.8" />,
  empty: <circle cx="5" cy="5" r="3.4" fill="none" stroke="currentColor" stroke-width="1.2" />,
};

/** "running, last data 3 seconds ago" */
export function stateTitle(run: string): string {
  const { state, last } = factsOf(run);
  const word = stateWord(state);
  return last === null ? word : texts.value.runs.stateAge(word, formatAge(last));
}

export function StateMark({ run }: { readonly run: string }): JSX.Element {
  const { state } = factsOf(run);
  const title = stateTitle(run);
  return (
    <span class={`state-mark state-mark--${state}`} title={title} role="img" aria-label={title} data-state={state}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {SHAPES[state]}
      </svg>
    </span>
  );
}

/** Mark and word, for tables and for the page of a run. */
export function StatePill({ run }: { readonly run: string }): JSX.Element {
  const { state } = factsOf(run);
  return (
    <span class={`state-pill state-pill--${state}`} title={stateTitle(run)}>
      <StateMark run={run} />
      {stateWord(state)}
    </span>
  );
}
