// A value for a column of all selected points.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
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

export function EditDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const words = spoken(projectorWords);
  const columns = allColumns.value;
  const column = useSignal(labelColumn.peek() === "" ? NEW : labelColumn.peek());
  const name = useSignal("");
  const value = useSignal("");
  const rows = selected.value;
  const target = column.value === NEW ? name.value.trim() : column.value;
  const apply = (): void => {
    if (target === "") return;
    editCells(rows, target, value.value);
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
      <div class="projector-form">
        <Select
          label={words.editColumn}
          value={column.value}
          options={[...columns.map((one) => ({ value: one, label: one })), { value: NEW, label: words.newColumn }]}
          testId="projector-edit-column"
          onChange={(next) => {
            column.value = next;
          }}
        />
        {column.value === NEW && (
          <TextField
            label={words.newColumnName}
            value={name.value}
            testId="projector-new-column"
            onInput={(text) => {
              name.value = text;
            }}
          />
        )}
        <TextField
          label={words.editValue}
          value={value.value}
          autoFocus
          testId="projector-edit-value"
          onInput={(text) => {
            value.value = text;
          }}
          onEnter={apply}
        />
        <p class="projector-pane__hint">{words.editHint}</p>
      </div>
    </Dialog>
  );
}
