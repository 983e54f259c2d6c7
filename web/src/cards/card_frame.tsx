// The frame of a card: its position, border and resize handle; it also records which card is under the pointer. This
// file also has what cards show while they load or after an error.

import type { ComponentChildren, HTMLAttributes, JSX } from "preact";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import "./card_frame.css";
import type { CardPlace } from "./card_grid";
import { hoveredCard } from "./hovered_card";
import { ResizeHandle } from "./resize_handle";

type Properties = {
  readonly cardKey: string;
  readonly title: string;
  /** Label for screen readers; default: the title. */
  readonly label?: string | undefined;
  readonly place: CardPlace;
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
  /** More attributes of the element: marks for tests, drop handlers. */
  readonly attributes?: Omit<HTMLAttributes<HTMLElement>, "role"> & Readonly<Record<`data-${string}`, string>>;
};

export function CardFrame(properties: Properties): JSX.Element {
  const { cardKey, title, label = title, place, children, attributes } = properties;
  const { leftPx, topPx, widthPx, heightPx } = place;
  return (
    <article
      class={properties.class === undefined ? "card" : `card ${properties.class}`}
      style={{ left: `${leftPx}px`, top: `${topPx}px`, width: `${widthPx}px`, height: `${heightPx}px` }}
      data-card={title}
      data-key={cardKey}
      aria-label={label}
      onPointerEnter={() => {
        hoveredCard.value = cardKey;
      }}
      onPointerLeave={() => {
        if (hoveredCard.peek() === cardKey) hoveredCard.value = null;
      }}
      onFocusCapture={() => {
        hoveredCard.value = cardKey;
      }}
      {...attributes}
    >
      {children}
      <ResizeHandle widthPx={widthPx} />
    </article>
  );
}

/** Shown instead of content that failed, with a button to retry. */
export function CardProblem(properties: {
  readonly title: string;
  readonly message: string;
  readonly onRetry: () => void;
}): JSX.Element {
  const words = texts.value.cards;
  return (
    <div class="card__message" role="alert">
      <strong>{properties.title}</strong>
      <span>{properties.message}</span>
      <Button label={words.retry} title={words.retry} onClick={properties.onRetry} />
    </div>
  );
}
