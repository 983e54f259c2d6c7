// One chart in full screen.

import type { JSX } from "preact";
import { CardBody } from "../../cards/charts/card";
import { tip } from "../../cards/charts/tooltip_state";
import { FullFrame } from "../../cards/full_frame";
import type { KindCard } from "../../state/card_keys";
import { type Card, cardsInOrder } from "../../state/cards";
import { besideOf } from "./beside";
import { Toolbar } from "./toolbar";

export function FullCard({ card }: { readonly card: Card }): JSX.Element {
  return (
    <>
      <div class="timeseries-toolbar-place">
        <Toolbar />
      </div>
      <FullFrame cardKey={card.key} title={card.title} order={cardsInOrder} keepsEscape={keepsEscape}>
        {({ widthPx }) => <CardBody key={card.key} card={card} above="" widthPx={widthPx} urgency={() => 0} full />}
      </FullFrame>
    </>
  );
}

/** One card of another kind in full screen. */
export function FullBeside({ card }: { readonly card: KindCard }): JSX.Element {
  const beside = besideOf(card.key);
  return (
    <>
      <div class="timeseries-toolbar-place">
        <Toolbar />
      </div>
      <FullFrame
        cardKey={card.key}
        title={card.tag}
        order={cardsInOrder}
        attributes={{ "data-kind-card": card.kind, "data-run-of": card.run }}
      >
        {(size) => {
          if (beside === null) return <div class="card__skeleton" />;
          const Full = beside.opened.full;
          return <Full of={beside.of} cardKey={card.key} size={size} />;
        }}
      </FullFrame>
    </>
  );
}

/** True if Esc must first release the frozen tooltip. */
function keepsEscape(): boolean {
  return tip.peek()?.frozen === true;
}
