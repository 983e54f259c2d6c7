// Message of the empty page: how to log a graph, and how to open a file.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import * as graphsWords from "../../state/texts/graphs";
import { tell } from "../../state/toasts";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { copyText } from "../../widgets/clipboard";
import { Tabs } from "../../widgets/tabs";
import { pickFile } from "./uploads";

const SNIPPETS = {
  pytorch: `from torch.utils.tensorboard import SummaryWriter

with SummaryWriter("runs/first") as writer:
    writer.add_graph(model, example_input)`,
  keras: `import tensorflow as tf

tensorboard = tf.keras.callbacks.TensorBoard("logs", write_graph=True)
model.fit(x, y, callbacks=[tensorboard])`,
  tensorflow: `import tensorflow as tf

writer = tf.summary.create_file_writer("logs")
tf.summary.trace_on(graph=True)
traced_function(x)
with writer.as_default():
    tf.summary.trace_export("traced", step=0)`,
} as const;

type Library = keyof typeof SNIPPETS;

const LIBRARIES = [
  { key: "pytorch", label: "PyTorch" },
  { key: "keras", label: "Keras" },
  { key: "tensorflow", label: "TensorFlow" },
] as const satisfies readonly { readonly key: Library; readonly label: string }[];

export function NoGraphs(): JSX.Element {
  const words = spoken(graphsWords);
  const library = useSignal<Library>("pytorch");
  const code = SNIPPETS[library.value];
  return (
    <div class="graphs-page__none" data-testid="no-graphs">
      <h2>{words.none}</h2>
      <p>{words.noneHint}</p>
      <div class="graphs-page__snippet">
        <Tabs
          label={words.noneHint}
          tabs={LIBRARIES}
          selected={library.value}
          onSelect={(key) => {
            library.value = key;
          }}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the arrows */}
        <pre tabIndex={0}>{code}</pre>
      </div>
      <div class="graphs-page__actions">
        <Button label={words.upload} icon="upload" kind="primary" title={words.uploadHint} onClick={pickFile} />
        <Button
          icon="copy"
          label={words.copyCode}
          title={words.copyCode}
          onClick={() => void copyText(code).then((done) => done && tell(words.copied))}
        />
      </div>
    </div>
  );
}
