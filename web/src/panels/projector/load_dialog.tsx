// Dialog that loads vectors and metadata from local files.

import { type Signal, signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { bringEmbedding, isRaw } from "../../state/projector_upload";
import * as projectorWords from "../../state/texts/projector";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { NumberField } from "../../widgets/number_field";

type Problem = { readonly message: string; readonly hint: string };

/** Choices of the user so far. */
type Choice = {
  readonly tensors: Signal<File | null>;
  readonly metadata: Signal<File | null>;
  /** Number of dimensions, for files that do not contain it. */
  readonly dims: Signal<number | null>;
  readonly problem: Signal<Problem | null>;
};

export function LoadDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const words = spoken(projectorWords);
  const choice = useMemo(newChoice, []);
  const { tensors, metadata, dims, problem } = choice;
  const busy = useSignal(false);
  const load = async (): Promise<void> => {
    const file = tensors.peek();
    if (file === null) return;
    busy.value = true;
    problem.value = await bringEmbedding(file, metadata.peek(), dims.peek());
    busy.value = false;
    if (problem.peek() === null) onClose();
  };
  const raw = tensors.value !== null && isRaw(tensors.value);
  return (
    <Dialog
      title={words.loadTitle}
      onClose={onClose}
      testId="projector-load-dialog"
      actions={
        <Button
          kind="primary"
          label={busy.value ? words.loading : words.loadDone}
          title={words.loadDone}
          disabled={tensors.value === null || busy.value || (raw && dims.value === null)}
          testId="projector-load-done"
          onClick={() => void load()}
        />
      }
    >
      <Fields choice={choice} raw={raw} />
    </Dialog>
  );
}

function newChoice(): Choice {
  return { tensors: signal(null), metadata: signal(null), dims: signal(null), problem: signal(null) };
}

function Fields({ choice, raw }: { readonly choice: Choice; readonly raw: boolean }): JSX.Element {
  const words = spoken(projectorWords);
  const { tensors, metadata, dims, problem } = choice;
  const put =
    <T,>(into: Signal<T>) =>
    (value: T): void => {
      into.value = value;
      problem.value = null;
    };
  return (
    <div class="projector-form">
      <p class="projector-pane__hint">{words.loadText}</p>
      <FileField
        label={words.tensorsFile}
        hint={words.tensorsFileHint}
        accept=".tsv,.txt,.csv,.npy,.bytes,.bin,.raw,.dat"
        testId="projector-tensors-file"
        onChange={put(tensors)}
      />
      {raw && (
        <div>
          <NumberField
            label={words.rawDims}
            optional
            value={dims.value}
            min={1}
            step={1}
            testId="projector-raw-dims"
            onChange={put(dims)}
          />
          <span class="field__hint">{words.rawDimsHint}</span>
        </div>
      )}
      <FileField
        label={words.metadataFile}
        hint={words.metadataFileHint}
        accept=".tsv,.txt,.csv"
        testId="projector-metadata-file"
        onChange={put(metadata)}
      />
      {problem.value !== null && <LoadProblem problem={problem.value} />}
    </div>
  );
}

function LoadProblem({ problem }: { readonly problem: Problem }): JSX.Element {
  return (
    <div class="projector-problem" role="alert">
      <div>
        <strong>{spoken(projectorWords).loadFailed}</strong>
        <p>{problem.message}</p>
        {problem.hint !== "" && <p>{problem.hint}</p>}
      </div>
    </div>
  );
}

type FieldProperties = {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly testId: string;
  readonly onChange: (file: File | null) => void;
};

function FileField({ label, hint, accept, testId, onChange }: FieldProperties): JSX.Element {
  return (
    <label class="field">
      <span class="field__label">{label}</span>
      <input
        type="file"
        accept={accept}
        data-testid={testId}
        onChange={(event) => onChange(event.currentTarget.files?.[0] ?? null)}
      />
      <span class="field__hint">{hint}</span>
    </label>
  );
}
