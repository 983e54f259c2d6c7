// One chart over the whole page.

import type { JSX } from "preact";
import { CardBody } from "../../cards/charts/card";
import { tip } from "../../cards/charts/tooltip_state";
import { FullFrame } from "../../cards/full_frame";
import { type Card, cardsInOrder } from "../../state/cards";
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

/** It lets a kept tooltip go first. */
function keepsEscape(): boolean {
  return tip.peek()?.frozen === true;
}
