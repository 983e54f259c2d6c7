// Saves the view as a file and loads it, for example to send it.

import { board } from "../state/board";
import { readViewFile, viewAsFile } from "../state/saved_views";
import { tell } from "../state/toasts";
import { openAddress, texts } from "../state/view";
import { pickTextFile, saveFile } from "../widgets/files";

export function exportView(): void {
  const name = (board.value?.name ?? "Lightboard").replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "");
  const body = new Blob([viewAsFile(board.value?.name ?? "")], { type: "application/json" });
  saveFile(`${name || "lightboard"}.view.json`, body);
}

export async function importView(): Promise<void> {
  const words = texts.value.shell.share;
  const text = await pickTextFile(".json,application/json");
  if (text === null) return;
  const found = readViewFile(text);
  if (found === null) tell(words.notAView, { kind: "error" });
  else {
    openAddress(found.view);
    tell(words.opened(found.name));
  }
}
