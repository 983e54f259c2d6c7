// Message of the empty page: what a trial is, how to log one, and why the existing runs are not trials.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { allRuns } from "../../state/runs";
import { trials } from "../../state/trials";
import { Button } from "../../widgets/button";
import { copyText } from "../../widgets/clipboard";
import { Tabs } from "../../widgets/tabs";
import { AbsentList } from "./absent_dialog";
import { words } from "./words";

const SNIPPETS = {
  pytorch: `from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("runs/lr=0.01") as writer:
    ...  # train, and add_scalar as ever
    writer.add_hparams({"lr": 0.01, "units": 256}, {"accuracy": 0.93}, run_name=".")`,
  lightboard: `from lightboard import SummaryWriter

with SummaryWriter("runs/lr=0.01") as writer:
    ...  # train, and add_scalar as ever
    writer.add_hparams({"lr": 0.01, "units": 256}, {"accuracy": 0.93}, run_name=".")`,
  tensorflow: `import tensorflow as tf
from tensorboard.plugins.hparams import api as hp

with tf.summary.create_file_writer("runs/lr=0.01").as_default():
    hp.hparams({"lr": 0.01, "units": 256})
    ...  # train
    tf.summary.scalar("accuracy", 0.93, step=1)`,
} as const;

type Library = keyof typeof SNIPPETS;

const LIBRARIES = [
  { key: "pytorch", label: "PyTorch" },
  { key: "lightboard", label: "Lightboard" },
  { key: "tensorflow", label: "TensorFlow" },
] as const satisfies readonly { readonly key: Library; readonly label: string }[];

export function NoTrials(): JSX.Element {
  const t = words();
  const library = useSignal<Library>("pytorch");
  const copied = useSignal(false);
  const code = SNIPPETS[library.value];
  return (
    <div class="no-trials" data-testid="no-trials">
      <h2>{t.emptyTitle}</h2>
      <p>{t.empty.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</p>
      <div>
        <Tabs
          label={t.emptyTitle}
          tabs={LIBRARIES}
          selected={library.value}
          onSelect={(key) => {
            library.value = key;
            copied.value = false;
          }}
        />
        <div class="no-trials__code">
          <pre>{code}</pre>
          <Button
            icon={copied.value ? "check" : "copy"}
            label={copied.value ? t.copied : t.copy}
            title={t.copy}
            onClick={() => {
              void copyText(code).then((done) => {
                copied.value = done;
              });
            }}
          />
        </div>
      </div>
      {allRuns.value.length > 0 && <p>{t.emptyRuns(allRuns.value.length)}</p>}
      {(trials.value?.absent.length ?? 0) > 0 && <AbsentList />}
    </div>
  );
}
