// Asks before uploads are deleted, and says what that frees.

import type { JSX } from "preact";
import { formatBytes } from "../../base/sizes";
import { deleteUpload, type Upload } from "../api/uploads";
import { BulkDialog, outcomesOf } from "../parts/bulk";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/uploads";
import { canChange, deletion, nameOf } from "./commands";

/** Shows nothing unless there is a question. */
export function DeleteDialog({ onDone }: { readonly onDone: () => void }): JSX.Element | null {
  const words = spoken(area);
  const asked = deletion.value;
  if (asked === null) return null;
  const meant = asked.filter(canChange);
  const [first] = meant;
  const others = asked.length - meant.length;
  const one = meant.length === 1 && first !== undefined;
  const files = meant.reduce((sum, upload) => sum + upload.files, 0);
  const bytes = meant.reduce((sum, upload) => sum + upload.bytes, 0);
  return (
    <BulkDialog
      title={one ? words.deleteTitle(nameOf(first)) : words.deleteTitleMany(grouped(meant.length), meant.length !== 1)}
      text={words.deleteText(words.filesWord(grouped(files), files !== 1), formatBytes(bytes))}
      action={words.deleteNow}
      danger
      label={words.table}
      things={meant}
      nameOf={nameOf}
      whereOf={(upload) => formatBytes(upload.bytes)}
      run={(things) => outcomesOf(things, remove)}
      result={(done, all) => (one ? words.deleted(nameOf(first)) : words.deleteResults(done, all))}
      onClose={() => {
        deletion.value = null;
      }}
      onDone={onDone}
    >
      {others > 0 && <p class="bulk__quiet">{words.ignored(grouped(others), others !== 1)}</p>}
    </BulkDialog>
  );
}

async function remove({ id }: Upload): Promise<void> {
  const { left } = await deleteUpload(id);
  if (left.length > 0) throw new Error(spoken(area).leftOver(grouped(left.length)));
}
