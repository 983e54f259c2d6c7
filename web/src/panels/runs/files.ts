// Download and upload of files.

import { annotate, parseAnnotations } from "../../state/annotations";
import { tell } from "../../state/toasts";
import { texts } from "../../state/view";

export function saveFile(name: string, content: string | Blob, type = "application/json"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the URL after this task
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function pickFile(accept: string): Promise<File | null> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = accept;
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Adds names, notes, labels and colors of a file to the existing ones. */
export async function importAnnotations(): Promise<void> {
  const file = await pickFile(".json,application/json");
  if (file === null) return;
  const t = texts.value.runs;
  const changes = parseAnnotations(await file.text());
  if (changes === null) tell(t.noRemarks(file.name), { kind: "error" });
  else if (await annotate(changes)) tell(t.imported(changes.size));
}
