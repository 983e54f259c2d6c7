// The header of a card: its title, a mark if it overrides settings, and its buttons.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { kinds } from "../../state/board";
import { type Card, isPinned, togglePin } from "../../state/cards";
import { isOverridden, zoomCard } from "../../state/scopes";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Description, TitleWords } from "../card_header";
import { openFull } from "../full_frame";
import { cardDrag } from "./card_drag";
import "./card_header.css";
import { CardDialog, type CardDialogKind } from "./card_dialogs";
import { cardMenu } from "./card_menu";
import type { CardModel } from "./card_model";

type Properties = {
  readonly card: Card;
  readonly title: { readonly prefix: string; readonly rest: string };
  readonly model: CardModel;
  readonly full: boolean;
};

export function CardHeader({ card, title, model, full }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const dialog = useSignal<CardDialogKind | null>(null);
  const header = useRef<HTMLElement>(null);
  const own = isOverridden({ kind: "card", card: card.key });
  const descriptions = kinds.value.scalars?.description ?? {};
  const told = card.tags.flatMap((tag) => (descriptions[tag] === undefined ? [] : [{ tag, text: descriptions[tag] }]));
  const drag = cardDrag(card.key, card.title, isPinned(card.key));
  return (
    <header class="card-header" ref={header}>
      <div
        class="card-header__drag"
        title={full ? undefined : `${titleText(card)}\n${words.dragHint}`}
        draggable={!full}
        {...drag}
      >
        {!full && <Icon name="drag" />}
        <TitleWords title={title} />
      </div>
      <Description kind="scalars" told={told} />
      {own && (
        <button
          type="button"
          class="card-header__own"
          title={words.hasOwnSettings}
          aria-label={words.hasOwnSettings}
          onClick={() => {
            dialog.value = "settings";
          }}
        />
      )}
      <HeaderButtons
        card={card}
        model={model}
        full={full}
        onDialog={(kind) => {
          dialog.value = kind;
        }}
      />
      {dialog.value !== null && header.current !== null && (
        <CardDialog
          kind={dialog.value}
          card={card}
          model={model}
          anchor={header.current}
          onClose={() => {
            dialog.value = null;
          }}
        />
      )}
    </header>
  );
}

type ButtonsProps = Omit<Properties, "title"> & { readonly onDialog: (kind: CardDialogKind) => void };

function HeaderButtons({ card, model, full, onDialog }: ButtonsProps): JSX.Element {
  const words = texts.value.timeseries;
  const pinned = isPinned(card.key);
  return (
    <div class="card-header__buttons">
      {model.zoomed.value && (
        <Button kind="quiet" icon="reset" title={words.fit} onClick={() => zoomCard(card.key, null, null)} />
      )}
      {!full && (
        <Button
          kind="quiet"
          icon="pin"
          title={pinned ? words.unpin : words.pin}
          pressed={pinned}
          onClick={() => togglePin(card.key)}
        />
      )}
      {!full && <Button kind="quiet" icon="full" title={texts.value.cards.full} onClick={() => openFull(card.key)} />}
      <Menu label={words.menu} items={cardMenu(card, model, onDialog)} />
    </div>
  );
}

/** Full names of the tags, with the display names that the writer gave. */
function titleText(card: Card): string {
  const names = kinds.value.scalars?.display_name ?? {};
  const [tag] = card.tags;
  const shown = card.tags.length === 1 && tag !== undefined ? names[tag] : undefined;
  const all = card.tags.length > 1 ? [card.title, ...card.tags] : [card.title];
  return [...(shown === undefined || shown === card.title ? [] : [shown]), ...all].join("\n");
}
