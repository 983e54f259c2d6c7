// Limits of an axis typed by hand.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { zoomCard } from "../../state/scopes";
import type { Range } from "../../state/settings";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { NumberField } from "../../widgets/number_field";
import { Popover } from "../../widgets/popover";
import type { CardModel } from "./card_model";

type Properties = {
  readonly model: CardModel;
  readonly axis: "x" | "y";
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
};

/** Enough digits to name a limit, few enough to read it. */
function short(value: number): number {
  return Number(value.toPrecision(6));
}

export function AxisLimits({ model, axis, anchor, onClose }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const now = model.scene.peek()[axis];
  const from = useSignal<number | null>(short(now.lo));
  const to = useSignal<number | null>(short(now.hi));
  const right = from.value !== null && to.value !== null && from.value < to.value;
  const put = (range: Range | null): void => {
    const { key } = model.card.peek();
    if (axis === "x") zoomCard(key, range, undefined);
    else zoomCard(key, undefined, range);
    onClose();
  };
  const apply = (): void => {
    if (right && from.value !== null && to.value !== null) put([from.value, to.value]);
  };
  const title = axis === "x" ? words.limitsX : words.limitsY;
  return (
    <Popover anchor={anchor} onClose={onClose} label={title}>
      <form
        class="limits"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <h4>{title}</h4>
        <NumberField
          label={words.from}
          value={from.value}
          optional
          testId="limit-from"
          onChange={(value) => {
            from.value = value;
          }}
        />
        <NumberField
          label={words.to}
          value={to.value}
          optional
          testId="limit-to"
          onChange={(value) => {
            to.value = value;
          }}
        />
        {!right && <span class="limits__wrong">{words.limitsWrong}</span>}
        <div class="limits__buttons">
          <Button label={words.fitAxis} title={words.fitAxis} onClick={() => put(null)} />
          <Button label={words.apply} title={words.apply} kind="primary" disabled={!right} onClick={apply} />
        </div>
      </form>
    </Popover>
  );
}
