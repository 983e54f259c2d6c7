// Dialogs of a card: its settings, its values as a table, its tags.

import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import type { Card } from "../../state/cards";
import { reasonOf } from "../../state/explained";
import { readWhole } from "../../state/step_values";
import { texts } from "../../state/view";
import { Dialog } from "../../widgets/dialog";
import { Popover } from "../../widgets/popover";
import type { CardModel } from "./card_model";
import { SettingsForm } from "./settings_form";
import { type ColumnKey, rangeRows, type TableRow } from "./table_rows";
import { TagsDialog } from "./tags_dialog";
import { ValuesTable } from "./values_table";

export type CardDialogKind = "settings" | "table" | "tags";

type Properties = {
  readonly kind: CardDialogKind;
  readonly card: Card;
  readonly model: CardModel;
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
};

export function CardDialog({ kind, card, model, anchor, onClose }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  if (kind === "tags") return <TagsDialog card={card} onClose={onClose} />;
  if (kind === "table") return <WholeTable card={card} model={model} onClose={onClose} />;
  return (
    <Popover anchor={anchor} beside={chartOf(anchor)} label={words.forCard(card.title)} onClose={onClose}>
      <SettingsForm scope={{ kind: "card", card: card.key }} title={words.forCard(card.title)} />
    </Popover>
  );
}

/** Returns what stays visible while settings change: the card, or the chart of an expanded card. */
function chartOf(header: HTMLElement): Element | null {
  const card = header.closest("[data-card]");
  return card?.hasAttribute("data-full") === true ? card.querySelector(".card__chart") : card;
}

const COLUMNS: readonly ColumnKey[] = ["run", "first", "last", "min", "max", "lastStep", "points"];

/** The values of the chart as a table. */
function WholeTable({ card, model, onClose }: Omit<Properties, "kind" | "anchor">): JSX.Element {
  const words = texts.value.timeseries;
  const rows = useSignal<readonly TableRow[] | null>(null);
  const problem = useSignal("");
  useSignalEffect(() => {
    const stop = new AbortController();
    void model.series.held.value;
    readWhole(model.question.value, stop.signal).then(
      (found) => {
        rows.value = rangeRows(found);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = reasonOf(error);
      },
    );
    return () => stop.abort();
  });
  return (
    <Dialog title={words.tableTitle(card.title)} onClose={onClose} wide testId="values-dialog">
      <div class="values-dialog">
        {problem.value !== "" && <p role="alert">{problem.value}</p>}
        <p class="values-dialog__count">{rows.value === null ? words.loading : words.rows(rows.value.length)}</p>
        <div class="values-dialog__table">
          <ValuesTable
            label={words.tableTitle(card.title)}
            rows={rows.value ?? []}
            columns={COLUMNS}
            several={card.tags.length > 1}
          />
        </div>
      </div>
    </Dialog>
  );
}
