// Saves the view as a file and loads it, for example to send it.

import { board } from "../state/board";
import { readViewFile, viewAsFile } from "../state/saved_views";
import { tell } from "../state/toasts";
import { openAddress, texts } from "../state/view";
import { pickTextFile, saveFile } from "../widgets/files";

/** The name of the board as the start of a file name. */
export function fileStem(): string {
  const name = (board.value?.name ?? "Lightboard").replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "");
  return name || "lightboard";
}

export function exportView(): void {
  const body = new Blob([viewAsFile(board.value?.name ?? "")], { type: "application/json" });
  saveFile(`${fileStem()}.view.json`, body);
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
