// The lazily loaded code for cards of other kinds among the charts: the list of cards, and how they are rendered.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { compareNatural } from "../../base/natural";
import type { CardPlace } from "../../cards/card_grid";
import type { FrameSize } from "../../cards/full_frame";
import { CardInside, KindCardView } from "../../cards/kind_card";
import { type KindModel, kindModel } from "../../cards/kind_model";
import type { CardsOfKind } from "../../cards/kind_page";
import { type CardsBeside, cardsBeside } from "../../state/cards";

export type KindBeside = { readonly page: CardsOfKind & { readonly pins: true }; readonly model: KindModel };

/** Opens the cards of other kinds on the time series page. `listed`: kinds whose tags have cards on the page; cards of other kinds exist only if they are pinned. */
export function openKinds(listed: ReadonlySignal<readonly string[]>) {
  const kinds = signal<ReadonlyMap<string, KindBeside>>(new Map());
  cardsBeside.value = computed<CardsBeside>(() => {
    const models = listed.value.flatMap((kind) => kinds.value.get(kind)?.model ?? []);
    const [first] = models;
    const tags =
      models.length === 1 && first !== undefined
        ? first.shownTags.value
        : [...new Set(models.flatMap(({ shownTags }) => shownTags.value))].sort(compareNatural);
    const has = new Map(models.map((model) => [model, new Set(model.shownTags.value)]));
    return {
      tags,
      keysOf: (tag) =>
        models.flatMap((model) => (has.get(model)?.has(tag) ? model.cardsOf(tag).map(({ key }) => key) : [])),
    };
  });
  return {
    kinds: kinds as ReadonlySignal<ReadonlyMap<string, KindBeside>>,
    add: (page: CardsOfKind): void => {
      const { kind } = page;
      const one = { page: { ...page, pins: true as const }, model: kindModel(kind, kind, "run") };
      kinds.value = new Map([...kinds.peek(), [kind, one]]);
    },
    card: KindCardOnPage,
    full: FullKindCard,
  };
}

type CardProps = {
  readonly of: KindBeside;
  readonly cardKey: string;
  /** Path that the headings above already show. */
  readonly above: string;
  readonly place: CardPlace;
};

function KindCardOnPage({ of: { page, model }, cardKey, above, place }: CardProps): JSX.Element {
  return (
    <KindCardView
      page={page}
      model={model}
      group={{ path: above, heading: "section" }}
      cardKey={cardKey}
      place={place}
    />
  );
}

type FullProps = { readonly of: KindBeside; readonly cardKey: string; readonly size: FrameSize };

function FullKindCard({ of: { page, model }, cardKey, size }: FullProps): JSX.Element | null {
  const card = model.cardOf(cardKey);
  return card === null ? null : (
    <CardInside key={card.key} page={page} model={model} card={card} above="" size={size} full />
  );
}
