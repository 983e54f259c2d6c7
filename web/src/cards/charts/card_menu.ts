// Items of the menu of a card.

import { type Card, hideCard, makeCard, removeMade } from "../../state/cards";
import { changeSettings, type Scope } from "../../state/scopes";
import { tell } from "../../state/toasts";
import { currentLink, texts, undo } from "../../state/view";
import type { MenuItem } from "../../widgets/menu";
import type { CardDialogKind } from "./card_dialogs";
import type { CardModel } from "./card_model";
import { copyText } from "./copy";
import { copyPicture, downloadPicture, downloadPoints } from "./downloads";

/** Items for the scales of the axes. */
export function scaleItems(
  card: Pick<Card, "key">,
  model: CardModel,
  open: (kind: CardDialogKind) => void,
): readonly MenuItem[] {
  const words = texts.value.timeseries;
  const scope: Scope = { kind: "card", card: card.key };
  const { xScale, yScale } = model.settings.value;
  const scale = (name: "xScale" | "yScale", kind: "log" | "symlog", now: string) => () =>
    changeSettings(scope, { [name]: now === kind ? "linear" : kind });
  return [
    { label: words.logY, checked: yScale === "log", shortcut: "l", onSelect: scale("yScale", "log", yScale) },
    { label: words.symlogY, checked: yScale === "symlog", onSelect: scale("yScale", "symlog", yScale) },
    { label: words.logX, checked: xScale === "log", onSelect: scale("xScale", "log", xScale) },
    { label: words.ownSettings, icon: "settings", onSelect: () => open("settings") },
  ];
}

/** Items that copy or download a chart. */
export function fileItems(model: CardModel): readonly MenuItem[] {
  const words = texts.value.timeseries;
  return [
    { label: words.copyPicture, icon: "copy", onSelect: () => copyPicture(model) },
    { heading: words.download },
    { label: words.png, icon: "download", onSelect: () => downloadPicture(model, "png") },
    { label: words.svg, icon: "download", onSelect: () => downloadPicture(model, "svg") },
    { label: words.csv, icon: "download", onSelect: () => downloadPoints(model, "csv") },
    { label: words.json, icon: "download", onSelect: () => downloadPoints(model, "json") },
    { label: words.parquet, icon: "download", onSelect: () => downloadPoints(model, "parquet") },
  ];
}

export function cardMenu(card: Card, model: CardModel, open: (kind: CardDialogKind) => void): readonly MenuItem[] {
  const words = texts.value.timeseries;
  const undoable = { label: words.undo, run: undo };
  const end: MenuItem =
    card.made === null
      ? {
          label: words.hide,
          icon: "eye-off",
          onSelect: () => {
            hideCard(card.key);
            tell(words.hidden(card.title), { action: undoable });
          },
        }
      : {
          label: words.remove,
          icon: "trash",
          danger: true,
          onSelect: () => {
            if (card.made !== null) removeMade(card.made.id);
            tell(words.removed(card.title), { action: undoable });
          },
        };
  return [
    ...scaleItems(card, model, open),
    "separator",
    { label: words.asTable, icon: "table", onSelect: () => open("table") },
    {
      label: card.made === null ? words.addTags : words.editChart,
      icon: card.made === null ? "plus" : "edit",
      onSelect: () => open("tags"),
    },
    {
      label: words.duplicate,
      icon: "copy",
      onSelect: () => makeCard(card.made?.tags ?? card.tags, card.made?.pattern ?? "", card.made?.title ?? ""),
    },
    {
      label: words.copyLink,
      icon: "link",
      onSelect: () => void copyText(currentLink({ full: card.key }), words.linkCopied),
    },
    "separator",
    ...fileItems(model),
    "separator",
    end,
  ];
}
