// Form to type the limits of the axes.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { zoomCard } from "../../state/scopes";
import type { Range } from "../../state/settings";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { NumberField } from "../../widgets/number_field";
import { Popover } from "../../widgets/popover";
import type { CardModel } from "./card_model";

type Properties = { readonly model: CardModel; readonly anchor: HTMLElement; readonly onClose: () => void };

/** Rounds a limit to six digits. */
function short(value: number): number {
  return Number(value.toPrecision(6));
}

type End = Signal<number | null>;

function useEnds(axis: { readonly lo: number; readonly hi: number }): readonly [End, End] {
  return [useSignal<number | null>(short(axis.lo)), useSignal<number | null>(short(axis.hi))];
}

/** Returns undefined if the limits are unchanged since the form was opened. */
function rangeOf(
  [lo, hi]: readonly [End, End],
  before: { readonly lo: number; readonly hi: number },
): Range | undefined {
  if (lo.value === null || hi.value === null) return undefined;
  return lo.value === short(before.lo) && hi.value === short(before.hi) ? undefined : [lo.value, hi.value];
}

function isRange([lo, hi]: readonly [End, End]): boolean {
  return lo.value !== null && hi.value !== null && lo.value < hi.value;
}

type EndProps = { readonly label: string; readonly end: End; readonly testId: string };

function EndField({ label, end, testId }: EndProps): JSX.Element {
  return (
    <NumberField
      label={label}
      value={end.value}
      optional
      testId={testId}
      onChange={(value) => {
        end.value = value;
      }}
    />
  );
}

export function AxisLimits({ model, anchor, onClose }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const scene = useSignal(model.scene.peek()).value;
  const x = useEnds(scene.x);
  const y = useEnds(scene.y);
  const right = isRange(x) && isRange(y);
  const { key } = model.card.peek();
  const apply = (): void => {
    if (!right) return;
    zoomCard(key, rangeOf(x, scene.x), rangeOf(y, scene.y));
    onClose();
  };
  return (
    <Popover anchor={anchor} onClose={onClose} label={words.limits}>
      <form
        class="limits"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <h4>{words.limitsY}</h4>
        <EndField label={words.from} end={y[0]} testId="limit-y-from" />
        <EndField label={words.to} end={y[1]} testId="limit-y-to" />
        <h4>{words.limitsX}</h4>
        <EndField label={words.from} end={x[0]} testId="limit-x-from" />
        <EndField label={words.to} end={x[1]} testId="limit-x-to" />
        {!right && <span class="limits__wrong">{words.limitsWrong}</span>}
        <div class="limits__buttons">
          <Button
            label={words.fitAxis}
            title={words.fitAxis}
            onClick={() => {
              zoomCard(key, null, null);
              onClose();
            }}
          />
          <Button label={words.apply} title={words.apply} kind="primary" disabled={!right} onClick={apply} />
        </div>
      </form>
    </Popover>
  );
}
