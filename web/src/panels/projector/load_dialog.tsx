// Vectors and metadata from the reader's disk.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { bringEmbedding, isRaw } from "../../state/projector_upload";
import * as projectorWords from "../../state/texts/projector";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { NumberField } from "../../widgets/number_field";

export function LoadDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const words = spoken(projectorWords);
  const tensors = useSignal<File | null>(null);
  const metadata = useSignal<File | null>(null);
  const dims = useSignal<number | null>(null);
  const busy = useSignal(false);
  const problem = useSignal<{ readonly message: string; readonly hint: string } | null>(null);
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
      <div class="projector-form">
        <p class="projector-pane__hint">{words.loadText}</p>
        <FileField
          label={words.tensorsFile}
          hint={words.tensorsFileHint}
          accept=".tsv,.txt,.csv,.npy,.bytes,.bin,.raw,.dat"
          testId="projector-tensors-file"
          onChange={(file) => {
            tensors.value = file;
            problem.value = null;
          }}
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
              onChange={(value) => {
                dims.value = value;
                problem.value = null;
              }}
            />
            <span class="field__hint">{words.rawDimsHint}</span>
          </div>
        )}
        <FileField
          label={words.metadataFile}
          hint={words.metadataFileHint}
          accept=".tsv,.txt,.csv"
          testId="projector-metadata-file"
          onChange={(file) => {
            metadata.value = file;
            problem.value = null;
          }}
        />
        {problem.value !== null && (
          <div class="projector-problem" role="alert">
            <div>
              <strong>{words.loadFailed}</strong>
              <p>{problem.value.message}</p>
              {problem.value.hint !== "" && <p>{problem.value.hint}</p>}
            </div>
          </div>
        )}
      </div>
    </Dialog>
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
