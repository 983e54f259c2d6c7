// One card of the page: header, chart, legend and table. Chart and lines are created when it is the card's turn.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Card, type CardGroup, type CardKey, findCard } from "../../state/cards";
import { splitTitle } from "../../state/sections";
import { sameEdges, sameNames } from "../../state/series_plan";
import { texts } from "../../state/view";
import { ErrorBoundary } from "../../widgets/error_boundary";
import { CardFrame, CardProblem } from "../card_frame";
import type { CardPlace } from "../card_grid";
import { TitleWords } from "../card_header";
import { takeTurn } from "../turns";
import "./card.css";
import { cardDrop, isDropTarget, isPinDragged } from "./card_drag";
import { CardHeader } from "./card_header";
import { type CardModel, openCard } from "./card_model";
import { Legend } from "./legend";
import { Plot } from "./plot";
import { StepTable } from "./step_table";

type Properties = { readonly cardKey: CardKey; readonly group: CardGroup; readonly place: CardPlace };

export function ChartCard({ cardKey, group, place }: Properties): JSX.Element | null {
  const card = findCard(cardKey);
  const top = useRef(place.topPx);
  top.current = place.topPx;
  if (card === null) return null;
  return (
    <CardFrame
      cardKey={card.key}
      title={card.title}
      place={place}
      class={isDropTarget(card.key) ? "card--target" : undefined}
      attributes={cardDrop(card.key, group.kind === "pinned")}
    >
      {isDropTarget(card.key) && <p class="card__drop">{dropText(group)}</p>}
      <CardBody
        card={card}
        above={group.kind === "tags" ? group.path : ""}
        widthPx={place.widthPx}
        urgency={() => place.urgency(top.current)}
      />
    </CardFrame>
  );
}

function dropText(group: CardGroup): string {
  const words = texts.value.timeseries;
  return group.kind === "pinned" && isPinDragged() ? words.dropToMove : words.dropToJoin;
}

type BodyProperties = {
  readonly card: Card;
  /** The part of the path that headings above show already. */
  readonly above: string;
  readonly widthPx: number;
  readonly urgency: () => number;
  readonly full?: boolean;
  /** Replaces the default header of the card. */
  readonly head?: ((model: CardModel) => JSX.Element) | undefined;
  /** Replaces the chart if there is nothing to draw. */
  readonly instead?: ((model: CardModel) => JSX.Element | null) | undefined;
  /** Shown below the chart. */
  readonly foot?: ((model: CardModel) => JSX.Element | null) | undefined;
};

/** The content of a card, on the page and in full screen. */
export function CardBody(properties: BodyProperties): JSX.Element {
  const { card, above, full = false, head, instead, foot } = properties;
  const model = useModel(properties);
  const title = splitTitle(card.title, above);
  if (model === null) {
    return (
      <>
        <header class="card-header">
          <TitleWords title={title} />
        </header>
        <div class="card__chart">
          <div class="card__skeleton" />
        </div>
      </>
    );
  }
  const chart = (
    <div class="card__chart">
      <ErrorBoundary
        fallback={(error, retry) => (
          <CardProblem title={texts.value.timeseries.broken} message={error.message} onRetry={retry} />
        )}
      >
        {instead?.(model) ?? <Plot model={model} />}
      </ErrorBoundary>
    </div>
  );
  return (
    <>
      {head !== undefined ? head(model) : <CardHeader card={card} title={title} model={model} full={full} />}
      {full ? (
        <div class="expanded">
          {chart}
          <div class="expanded__side">
            <Legend model={model} full />
          </div>
        </div>
      ) : (
        chart
      )}
      {foot?.(model)}
      {!full && <Legend model={model} full={false} />}
      <StepTable model={model} />
    </>
  );
}

/** Returns the model of the card; null before it is the card's turn. */
function useModel({ card, widthPx, urgency }: BodyProperties): CardModel | null {
  const model = useSignal<CardModel | null>(null);
  const latest = useRef(urgency);
  latest.current = urgency;
  useLayoutEffect(() => {
    const cancel = takeTurn(() => {
      model.value = openCard(card, widthPx, () => latest.current());
    });
    return () => {
      cancel();
      model.peek()?.close();
      model.value = null;
    };
    // a new key is a new card; other changes are passed to the model below
  }, [card.key]);
  useEffect(() => {
    if (model.value === null) return;
    if (!sameCard(model.value.card.peek(), card)) model.value.card.value = card;
    model.value.widthPx.value = widthPx;
  });
  return model.value;
}

function sameCard(a: Card, b: Card): boolean {
  return a.title === b.title && sameNames(a.tags, b.tags) && sameEdges(a.edges, b.edges);
}
