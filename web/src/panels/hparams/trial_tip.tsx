// Tooltip of the trial under the pointer.

import type { JSX } from "preact";
import { HoverTip, TipRow } from "../../cards/hover_tip";
import { colorOfTrial, shownColumns } from "../../state/hparams";
import { columnTitle, formatCell, titleOf, whyAbsent } from "./words";

type Properties = {
  readonly trial: number;
  readonly at: { readonly clientX: number; readonly clientY: number };
};

const MOST_ROWS = 24;

export function TrialTip({ trial, at }: Properties): JSX.Element {
  return (
    <HoverTip at={at}>
      <div class="trial-tip__title">
        <span class="virtual-table__dot" style={{ background: colorOfTrial.value(trial) }} />
        <bdi>{titleOf(trial)}</bdi>
      </div>
      {shownColumns.value.slice(0, MOST_ROWS).map((column) => (
        <TipRow key={column.id} name={columnTitle(column)}>
          {formatCell(column, trial) || whyAbsent(column, trial)}
        </TipRow>
      ))}
    </HoverTip>
  );
}
