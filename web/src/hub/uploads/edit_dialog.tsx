// Name, description and audience of an upload. The audience is that of its board.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { TextField } from "../../widgets/text_field";
import { changeBoard } from "../api/boards";
import type { Board, Visibility } from "../api/types";
import { changeUpload, type Upload } from "../api/uploads";
import { VisibilityField } from "../boards/board_fields";
import { reasonOf } from "../explained";
import { grouped, spoken } from "../preferences";
import * as shellArea from "../texts/shell";
import * as area from "../texts/uploads";
import type { OneUpload } from "./one_upload";

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 600;

type Properties = {
  readonly upload: Upload;
  /** Null: its board was deleted, or may not be seen. */
  readonly board: Board | null;
  readonly one: OneUpload;
  readonly onClose: () => void;
};

export function EditDialog({ upload, board, one, onClose }: Properties): JSX.Element {
  const words = spoken(area);
  const { cancel } = spoken(shellArea);
  const name = useSignal(upload.name);
  const description = useSignal(upload.description);
  const visibility = useSignal<Visibility>(upload.visibility);
  const confirmed = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal("");
  const textId = useId();
  const newlyPublic = visibility.value === "public" && upload.visibility !== "public";
  const tooLong = count(name.value) > LONGEST_NAME || count(description.value) > LONGEST_DESCRIPTION;
  const good = !tooLong && (!newlyPublic || confirmed.value);
  const save = async (): Promise<void> => {
    if (!good || busy.value) return;
    busy.value = true;
    problem.value = "";
    try {
      const texts = {
        ...(name.value.trim() === upload.name ? {} : { name: name.value.trim() }),
        ...(description.value.trim() === upload.description ? {} : { description: description.value.trim() }),
      };
      // first, because a new name changes the generation of the board
      if (board !== null && visibility.value !== upload.visibility) {
        const change = { visibility: visibility.value, ...(newlyPublic ? { confirm_public: true } : {}) };
        one.board.value = await changeBoard(board.id, change, board.generation);
      }
      if (Object.keys(texts).length > 0) one.apply(await changeUpload(upload.id, texts));
      await one.load();
      tell(words.saved);
      onClose();
    } catch (error) {
      problem.value = reasonOf(error);
      busy.value = false;
    }
  };
  return (
    <Dialog
      title={words.editTitle}
      testId="edit-upload"
      lasting
      onClose={onClose}
      actions={
        <>
          {problem.value !== "" && (
            <span class="upload-edit__problem" role="alert">
              {problem.value}
            </span>
          )}
          <Button label={cancel} title={cancel} onClick={onClose} />
          <Button
            label={busy.value ? words.saving : words.save}
            title={words.save}
            kind="primary"
            disabled={!good || busy.value}
            testId="save"
            onClick={() => void save()}
          />
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a key of the fields inside */}
      <div
        class="upload-edit"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        }}
      >
        <TextField
          label={words.name}
          value={name.value}
          autoFocus
          invalid={count(name.value) > LONGEST_NAME}
          hint={words.nameHint(grouped(count(name.value)), grouped(LONGEST_NAME))}
          testId="upload-name"
          onInput={(text) => {
            name.value = text;
          }}
        />
        <div class="field">
          <label class="field__label" for={textId}>
            {words.description}
          </label>
          <textarea
            id={textId}
            class="field__input upload-edit__text"
            rows={4}
            value={description.value}
            data-testid="upload-description"
            onInput={(event) => {
              description.value = event.currentTarget.value;
            }}
          />
          <p class="field__hint">{words.nameHint(grouped(count(description.value)), grouped(LONGEST_DESCRIPTION))}</p>
        </div>
        {board !== null && (
          <VisibilityField
            value={visibility.value}
            confirmed={newlyPublic ? confirmed.value : null}
            onChange={(value) => {
              visibility.value = value;
              confirmed.value = false;
            }}
            onConfirm={(value) => {
              confirmed.value = value;
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

/** In characters as the hub counts them, not in halves of them. */
function count(text: string): number {
  return [...text.trim()].length;
}
