// Dialog that sets a column of all selected points to one value.

import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { allColumns, labelColumn } from "../../state/projector";
import { editCells } from "../../state/projector_edits";
import { selected } from "../../state/projector_selection";
import * as projectorWords from "../../state/texts/projector";
import { grouped, spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";

const NEW = "\u0000new";

/** Input of the user so far. `name`: name of a new column. */
type Draft = Readonly<Record<"column" | "name" | "value", Signal<string>>>;

function newDraft(): Draft {
  const label = labelColumn.peek();
  return { column: signal(label === "" ? NEW : label), name: signal(""), value: signal("") };
}

export function EditDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const words = spoken(projectorWords);
  const draft = useMemo(newDraft, []);
  const rows = selected.value;
  const target = draft.column.value === NEW ? draft.name.value.trim() : draft.column.value;
  const apply = (): void => {
    if (target === "") return;
    editCells(rows, target, draft.value.value);
    onClose();
  };
  return (
    <Dialog
      title={words.editTitle(grouped(rows.length))}
      onClose={onClose}
      testId="projector-edit-dialog"
      actions={
        <Button
          kind="primary"
          label={words.apply}
          title={words.apply}
          disabled={target === ""}
          testId="projector-apply"
          onClick={apply}
        />
      }
    >
      <Fields draft={draft} onEnter={apply} />
    </Dialog>
  );
}

function Fields({ draft, onEnter }: { readonly draft: Draft; readonly onEnter: () => void }): JSX.Element {
  const words = spoken(projectorWords);
  const { column, name, value } = draft;
  const put =
    (into: Signal<string>) =>
    (text: string): void => {
      into.value = text;
    };
  return (
    <div class="projector-form">
      <Select
        label={words.editColumn}
        value={column.value}
        options={[
          ...allColumns.value.map((one) => ({ value: one, label: one })),
          { value: NEW, label: words.newColumn },
        ]}
        testId="projector-edit-column"
        onChange={put(column)}
      />
      {column.value === NEW && (
        <TextField label={words.newColumnName} value={name.value} testId="projector-new-column" onInput={put(name)} />
      )}
      <TextField
        label={words.editValue}
        value={value.value}
        autoFocus
        testId="projector-edit-value"
        onInput={put(value)}
        onEnter={onEnter}
      />
      <p class="projector-pane__hint">{words.editHint}</p>
    </div>
  );
}
