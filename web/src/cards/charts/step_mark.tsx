// Controls to type, widen or remove the marked step or range.

import type { JSX } from "preact";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { NumberField } from "../../widgets/number_field";

export function StepMark(): JSX.Element | null {
  const words = texts.value.timeseries;
  const { steps, stepTable } = view.value;
  if (!stepTable) return null;
  if (steps === null) return null;
  const put = (lo: number, hi: number | null): void => {
    if (hi === null || hi > lo) changeView({ steps: { lo, hi } });
    else changeView({ steps: { lo: hi, hi: lo > hi ? lo : null } });
  };
  return (
    <div class="step-mark" data-testid="step-mark">
      <NumberField
        label={steps.hi === null ? words.atStep : words.fromStep}
        value={steps.lo}
        testId="step-lo"
        onChange={(lo) => lo !== null && put(Math.round(lo), steps.hi)}
      />
      {steps.hi !== null && (
        <NumberField
          label={words.toStep}
          value={steps.hi}
          testId="step-hi"
          onChange={(hi) => hi !== null && put(steps.lo, Math.round(hi))}
        />
      )}
      {steps.hi === null ? (
        <Button
          kind="quiet"
          icon="columns"
          title={words.makeRange}
          onClick={() => put(steps.lo, steps.lo + Math.max(1, Math.abs(Math.round(steps.lo / 4))))}
        />
      ) : (
        <Button
          kind="quiet"
          icon="minus"
          title={words.makeStep}
          onClick={() => changeView({ steps: { lo: steps.lo, hi: null } })}
        />
      )}
      <Button kind="quiet" icon="close" title={words.removeMark} onClick={() => changeView({ steps: null })} />
    </div>
  );
}
