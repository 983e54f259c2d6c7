// A chart of the layout: a card like those of the time series page, with its own menu and a list of matched lines.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { CardFrame } from "../../cards/card_frame";
import type { CardPlace } from "../../cards/card_grid";
import { TitleWords } from "../../cards/card_header";
import { CardBody } from "../../cards/charts/card";
import { CardDialog, type CardDialogKind } from "../../cards/charts/card_dialogs";
import { fileItems, scaleItems } from "../../cards/charts/card_menu";
import type { CardModel } from "../../cards/charts/card_model";
import { copyText } from "../../cards/charts/copy";
import { openFull } from "../../cards/full_frame";
import { moveChart, putChart, withoutChart } from "../../state/custom_layout";
import { type CustomCard, editLayout, findCustomCard, layout, matchOf } from "../../state/custom_scalars";
import { isOverridden, zoomCard } from "../../state/scopes";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { tell } from "../../state/toasts";
import { currentLink, spoken, texts, undo } from "../../state/view";
import { Button } from "../../widgets/button";
import { Menu, type MenuItem } from "../../widgets/menu";
import { CardFoot } from "./card_foot";
import "./chart_card.css";
import { ChartDialog } from "./chart_dialog";
import { patternNotes } from "./chart_notes";

type Properties = { readonly cardKey: string; readonly place: CardPlace };

export function CustomChartCard({ cardKey, place }: Properties): JSX.Element | null {
  const card = findCustomCard(cardKey);
  const top = useRef(place.topPx);
  top.current = place.topPx;
  if (card === null) return null;
  return (
    <CardFrame
      cardKey={card.key}
      title={card.title}
      place={place}
      attributes={{ "data-kind-card": "custom_scalars", "data-run-of": "" }}
    >
      <CustomChartBody card={card} widthPx={place.widthPx} urgency={() => place.urgency(top.current)} />
    </CardFrame>
  );
}

type BodyProperties = {
  readonly card: CustomCard;
  readonly widthPx: number;
  readonly urgency: () => number;
  readonly full?: boolean;
};

export function CustomChartBody({ card, widthPx, urgency, full = false }: BodyProperties): JSX.Element {
  return (
    <CardBody
      card={card}
      above=""
      widthPx={widthPx}
      urgency={urgency}
      full={full}
      head={(model) => <Head card={card} model={model} full={full} />}
      instead={() => (card.tags.length > 0 ? null : <WithoutTags card={card} />)}
      foot={(model) => <CardFoot card={card} model={model} />}
    />
  );
}

/** Shown instead of a chart if no tag matches: says why. */
function WithoutTags({ card }: { readonly card: CustomCard }): JSX.Element {
  const words = spoken(customScalarsWords);
  if (card.pending) return <div class="card__skeleton" />;
  return (
    <div class="card__message" role="status">
      {patternNotes(card, matchOf, words).map((note) => (
        <span key={note}>{note}</span>
      ))}
    </div>
  );
}

type HeadProperties = { readonly card: CustomCard; readonly model: CardModel; readonly full: boolean };

function Head({ card, model, full }: HeadProperties): JSX.Element {
  const words = texts.value.timeseries;
  const header = useRef<HTMLElement>(null);
  const dialog = useSignal<CardDialogKind | "edit" | null>(null);
  const open = (kind: CardDialogKind | "edit" | null) => (): void => {
    dialog.value = kind;
  };
  const items = menuOf(card, model, (kind) => open(kind)(), open("edit"));
  return (
    <header class="card-header" ref={header}>
      <div class="custom-card__title" title={card.title}>
        <TitleWords title={{ prefix: "", rest: card.title || spoken(customScalarsWords).untitled }} />
      </div>
      {isOverridden({ kind: "card", card: card.key }) && (
        <button
          type="button"
          class="card-header__own"
          title={words.hasOwnSettings}
          aria-label={words.hasOwnSettings}
          onClick={open("settings")}
        />
      )}
      <div class="card-header__buttons">
        {model.zoomed.value && (
          <Button kind="quiet" icon="reset" title={words.fit} onClick={() => zoomCard(card.key, null, null)} />
        )}
        {!full && <Button kind="quiet" icon="full" title={texts.value.cards.full} onClick={() => openFull(card.key)} />}
        <Menu label={words.menu} items={items} testId="custom-chart-menu" />
      </div>
      {dialog.value !== null && dialog.value !== "edit" && header.current !== null && (
        <CardDialog kind={dialog.value} card={card} model={model} anchor={header.current} onClose={open(null)} />
      )}
      {dialog.value === "edit" && (
        <ChartDialog place={{ category: card.category, chart: card.place }} chart={card.chart} onClose={open(null)} />
      )}
    </header>
  );
}

function menuOf(
  card: CustomCard,
  model: CardModel,
  open: (kind: CardDialogKind) => void,
  edit: () => void,
): readonly MenuItem[] {
  const words = spoken(customScalarsWords);
  const charts = texts.value.timeseries;
  const place = { category: card.category, chart: card.place };
  const count = layout.value?.[card.category]?.charts.length ?? 0;
  return [
    { label: words.editChart, icon: "edit", onSelect: edit },
    {
      label: words.copyChart,
      icon: "copy",
      onSelect: () => editLayout((now) => putChart(now, { ...place, chart: count }, card.chart)),
    },
    {
      label: words.left,
      icon: "left",
      disabled: card.place === 0,
      onSelect: () => editLayout((now) => moveChart(now, place, -1)),
    },
    {
      label: words.right,
      icon: "right",
      disabled: card.place >= count - 1,
      onSelect: () => editLayout((now) => moveChart(now, place, 1)),
    },
    "separator",
    ...scaleItems(card, model, open),
    { label: charts.asTable, icon: "table", onSelect: () => open("table") },
    {
      label: charts.copyLink,
      icon: "link",
      onSelect: () => void copyText(currentLink({ full: card.key }), charts.linkCopied),
    },
    "separator",
    ...fileItems(model),
    "separator",
    {
      label: words.removeChart,
      icon: "trash",
      danger: true,
      onSelect: () => {
        editLayout((now) => withoutChart(now, place));
        tell(words.removedChart(card.title), { action: { label: words.undo, run: undo } });
      },
    },
  ];
}
