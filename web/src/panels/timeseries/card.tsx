// One card of the page: header, chart, legend and table. Its chart and its lines exist once it is the card's turn.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Card, type CardGroup, type CardKey, findCard } from "../../state/cards";
import { splitTitle } from "../../state/sections";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { ErrorBoundary } from "../../widgets/error_boundary";
import "./card.css";
import { cardDrop, isDropTarget } from "./card_drag";
import { CardHeader, TitleWords } from "./card_header";
import { type CardModel, openCard } from "./card_model";
import { hoveredCard } from "./hovered_card";
import { Legend } from "./legend";
import { Plot } from "./plot";
import { ResizeHandle } from "./resize_handle";
import { StepTable } from "./step_table";
import { takeTurn } from "./turns";

type Properties = {
  readonly cardKey: CardKey;
  readonly group: CardGroup;
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly urgency: (topPx: number) => number;
};

export function CardFrame(properties: Properties): JSX.Element | null {
  const { cardKey, group, leftPx, topPx, widthPx, heightPx, urgency } = properties;
  const card = findCard(cardKey);
  const top = useRef(topPx);
  top.current = topPx;
  if (card === null) return null;
  const style = { left: `${leftPx}px`, top: `${topPx}px`, width: `${widthPx}px`, height: `${heightPx}px` };
  const drop = cardDrop(card.key, group.kind === "pinned");
  return (
    <article
      class={isDropTarget(card.key) ? "card card--target" : "card"}
      style={style}
      data-card={card.title}
      data-key={card.key}
      aria-label={card.title}
      onPointerEnter={() => {
        hoveredCard.value = card.key;
      }}
      onPointerLeave={() => {
        if (hoveredCard.peek() === card.key) hoveredCard.value = null;
      }}
      onFocusCapture={() => {
        hoveredCard.value = card.key;
      }}
      onDragOver={drop.onDragOver}
      onDragLeave={drop.onDragLeave}
      onDrop={drop.onDrop}
    >
      <CardBody
        card={card}
        above={group.kind === "tags" ? group.path : ""}
        widthPx={widthPx}
        urgency={() => urgency(top.current)}
      />
      <ResizeHandle widthPx={widthPx} />
    </article>
  );
}

type BodyProperties = {
  readonly card: Card;
  /** Path that the headings above tell already. */
  readonly above: string;
  readonly widthPx: number;
  readonly urgency: () => number;
  readonly full?: boolean;
};

/** What is inside a card, on the page as in full screen. */
export function CardBody({ card, above, widthPx, urgency, full = false }: BodyProperties): JSX.Element {
  const model = useSignal<CardModel | null>(null);
  const latest = useRef(urgency);
  latest.current = urgency;
  useLayoutEffect(() => {
    const giveUp = takeTurn(() => {
      model.value = openCard(card, widthPx, () => latest.current());
    });
    return () => {
      giveUp();
      model.peek()?.close();
      model.value = null;
    };
    // a card is another card by its key; what else changes is told below
  }, [card.key]);
  useEffect(() => {
    if (model.value === null) return;
    if (!sameCard(model.value.card.peek(), card)) model.value.card.value = card;
    model.value.widthPx.value = widthPx;
  });
  const title = splitTitle(card.title, above);
  return (
    <>
      {model.value === null ? (
        <header class="card-header">
          <TitleWords title={title} />
        </header>
      ) : (
        <CardHeader card={card} title={title} model={model.value} full={full} />
      )}
      <div class="card__chart">
        {model.value === null ? (
          <div class="card__skeleton" />
        ) : (
          <ErrorBoundary fallback={(error, retry) => <Broken error={error} retry={retry} />}>
            <Plot model={model.value} />
          </ErrorBoundary>
        )}
      </div>
      {model.value !== null && <Legend model={model.value} full={full} />}
      {model.value !== null && <StepTable model={model.value} />}
    </>
  );
}

function sameCard(a: Card, b: Card): boolean {
  return a.title === b.title && a.tags.length === b.tags.length && a.tags.every((tag, i) => tag === b.tags[i]);
}

function Broken({ error, retry }: { readonly error: Error; readonly retry: () => void }): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <div class="card__message" role="alert">
      <strong>{words.broken}</strong>
      <span>{error.message}</span>
      <Button label={words.retry} title={words.retry} onClick={retry} />
    </div>
  );
}
