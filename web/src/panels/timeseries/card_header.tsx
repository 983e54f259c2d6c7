// The head of a card: its title, its mark when it has settings of its own, and what can be done with it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { kinds } from "../../state/board";
import { type Card, isPinned, togglePin } from "../../state/cards";
import { isOverridden, zoomCard } from "../../state/scopes";
import { changeView, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Popover } from "../../widgets/popover";
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
  const pinned = isPinned(card.key);
  const own = isOverridden({ kind: "card", card: card.key });
  const drag = cardDrag(card.key, card.title, pinned);
  return (
    <header class="card-header" ref={header}>
      <div class="card-header__drag" title={full ? undefined : titleText(card)} draggable={!full} {...drag}>
        <TitleWords title={title} />
      </div>
      <Description card={card} />
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
        {!full && (
          <Button
            kind="quiet"
            icon="full"
            title={words.full}
            onClick={() => changeView({ full: card.key }, { entry: true })}
          />
        )}
        <Menu
          label={words.menu}
          items={cardMenu(card, model, (kind) => {
            dialog.value = kind;
          })}
        />
      </div>
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

export function TitleWords({ title }: Pick<Properties, "title">): JSX.Element {
  return (
    <div class="card-header__title">
      {title.prefix !== "" && <span class="card-header__prefix">{title.prefix}</span>}
      {/* a name of nothing to see, as "" or " ", is quoted */}
      <span>{/\S/.test(title.prefix + title.rest) ? title.rest : JSON.stringify(title.rest)}</span>
    </div>
  );
}

/** Full names, and other names the writer gave. */
function titleText(card: Card): string {
  const names = kinds.value.scalars?.display_name ?? {};
  const [tag] = card.tags;
  const shown = card.tags.length === 1 && tag !== undefined ? names[tag] : undefined;
  const all = card.tags.length > 1 ? [card.title, ...card.tags] : [card.title];
  return [...(shown === undefined || shown === card.title ? [] : [shown]), ...all].join("\n");
}

/** What the writer said about the metric, as text: it comes from a log file, and is not trusted with more. */
function Description({ card }: { readonly card: Card }): JSX.Element | null {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const descriptions = kinds.value.scalars?.description ?? {};
  const told = card.tags.flatMap((tag) => (descriptions[tag] === undefined ? [] : [{ tag, text: descriptions[tag] }]));
  if (told.length === 0) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="card-header__info"
        aria-label={words.description}
        title={told.map(({ text }) => text).join("\n\n")}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="info" />
      </button>
      {open.value && button.current !== null && (
        <Popover
          anchor={button.current}
          label={words.description}
          className="card-header__description"
          onClose={() => {
            open.value = false;
          }}
        >
          {told.map(({ tag, text }) => (
            <div key={tag}>
              <strong>{tag}</strong>
              <p>{text}</p>
            </div>
          ))}
        </Popover>
      )}
    </>
  );
}
