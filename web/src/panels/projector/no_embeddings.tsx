// Message of the empty page: how to log vectors, and how to load local files.

import type { JSX } from "preact";
import * as projectorWords from "../../state/texts/projector";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { copyText } from "../../widgets/clipboard";

const SNIPPET = `import numpy as np
from lightboard import SummaryWriter

with SummaryWriter("runs/embeddings") as writer:
    writer.add_embedding(np.random.rand(100, 16), metadata=[f"point {i}" for i in range(100)])
`;

export function NoEmbeddings(): JSX.Element {
  const words = spoken(projectorWords);
  return (
    <div class="projector__empty" role="status" data-testid="projector-empty">
      <h2>{words.emptyTitle}</h2>
      <p>{words.emptyText}</p>
      <div class="projector__snippet">
        <pre>{SNIPPET}</pre>
        <Button kind="quiet" icon="copy" title={words.copy} onClick={() => void copyText(SNIPPET)} />
      </div>
    </div>
  );
}
