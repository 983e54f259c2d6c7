// Dialogs to rename a run, write its note, and label runs. All of it is stored in the sidecar; the logs are not
// changed.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import {
  allLabels,
  annotate,
  annotateAll,
  label,
  labelsInText,
  labelsOf,
  offerLabelsBack,
  remarksOf,
  shownName,
} from "../../state/annotations";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { TextField } from "../../widgets/text_field";
import "./dialogs.css";
import { closeDialog } from "./open_dialogs";

type OfRun = { readonly run: string };

export function RenameDialog({ run }: OfRun): JSX.Element {
  const t = texts.value.runs;
  const name = useSignal(remarksOf(run).name ?? run);
  const save = (): void => {
    const wanted = name.value.trim();
    const own = wanted === "" || wanted === run ? null : wanted;
    closeDialog();
    void annotateAll([run], { name: own }, own === null ? t.nameBack(run) : t.renamed(run, own));
  };
  return (
    <Dialog
      title={t.rename}
      onClose={closeDialog}
      testId="rename-dialog"
      actions={
        <>
          <Button label={t.ownName} kind="quiet" title={t.ownNameHint(run)} onClick={() => (name.value = run)} />
          <Button label={t.save} kind="primary" title={t.save} onClick={save} />
        </>
      }
    >
      <TextField
        label={t.shownAs}
        value={name.value}
        autoFocus
        hint={t.renameHint(run)}
        testId="rename-field"
        onInput={(text) => {
          name.value = text;
        }}
        onEnter={save}
      />
    </Dialog>
  );
}

export function NoteDialog({ run }: OfRun): JSX.Element {
  const t = texts.value.runs;
  const note = useSignal(remarksOf(run).note ?? "");
  const save = (): void => {
    closeDialog();
    void annotate(new Map([[run, { note: note.value }]]));
  };
  return (
    <Dialog
      title={t.noteOf(shownName(run))}
      onClose={closeDialog}
      testId="note-dialog"
      wide
      actions={<Button label={t.save} kind="primary" title={t.saveKeys} onClick={save} />}
    >
      <NoteField value={note.value} onInput={(text) => (note.value = text)} onSave={save} />
    </Dialog>
  );
}

type NoteFieldProperties = {
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onSave: () => void;
};

export function NoteField({ value, onInput, onSave }: NoteFieldProperties): JSX.Element {
  const t = texts.value.runs;
  return (
    <label class="field">
      <span class="field__label">{t.markdown}</span>
      <textarea
        class="note-field"
        rows={10}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: it opens to be written in
        autoFocus
        data-testid="note-field"
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSave();
        }}
      />
    </label>
  );
}

/**
 * Labels that all runs have are pressed; typing adds new ones. Every change is saved at once, and closing the dialog
 * offers to undo all of them.
 */
export function LabelsDialog({ runs }: { readonly runs: readonly string[] }): JSX.Element {
  const t = texts.value.runs;
  const typed = useSignal("");
  const before = useRef(labelsOf(runs));
  const known = [...new Set([...allLabels.value, ...[...before.current.values()].flat()])];
  const has = (tag: string): boolean => runs.every((run) => remarksOf(run).tags?.includes(tag) === true);
  const add = (): void => {
    const fresh = labelsInText(typed.value).filter((tag) => !has(tag));
    typed.value = "";
    if (fresh.length > 0) void label(runs, fresh, []);
  };
  const what = runs.length === 1 && runs[0] !== undefined ? shownName(runs[0]) : t.count(runs.length);
  const close = (): void => {
    add();
    closeDialog();
    offerLabelsBack(before.current, t.labelsChanged(what));
  };
  return (
    <Dialog
      title={t.labelsOf(what)}
      onClose={close}
      testId="labels-dialog"
      actions={<Button label={t.done} kind="primary" title={t.done} onClick={close} />}
    >
      <TextField
        label={t.newLabel}
        value={typed.value}
        autoFocus
        hint={t.labelHint}
        testId="label-field"
        onInput={(text) => {
          typed.value = text;
        }}
        onEnter={() => (typed.value.trim() === "" ? close() : add())}
      />
      <div class="labels-dialog__known">
        {known.map((tag) => (
          <button
            key={tag}
            type="button"
            class={has(tag) ? "label-choice label-choice--on" : "label-choice"}
            aria-pressed={has(tag)}
            onClick={() => void (has(tag) ? label(runs, [], [tag]) : label(runs, [tag], []))}
          >
            {tag}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
