// Exports the metadata as a file, with the changes of the user.

import { reasonOf } from "../../state/explained";
import { type Embedding, loadMetadata } from "../../state/projector";
import { editedFile } from "../../state/projector_edits";
import { tell } from "../../state/toasts";
import { fileName, saveFile } from "../../widgets/files";

export async function saveMetadata(of: Embedding): Promise<void> {
  try {
    const text = of.metadata === null ? "\n".repeat(of.rows) : await loadMetadata(of);
    saveFile(
      fileName(`${of.run}_${of.name}_metadata`, "tsv"),
      new Blob([editedFile(text)], { type: "text/tab-separated-values" }),
    );
  } catch (error) {
    tell(reasonOf(error), { kind: "error" });
  }
}
