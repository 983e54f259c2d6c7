// Copies text to the clipboard and confirms it with a message.

import { tell } from "../../state/toasts";
import { texts } from "../../state/view";

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(done);
  } catch {
    if (copyByHand(text)) tell(done);
    else tell(texts.value.timeseries.copyFailed, { kind: "error" });
  }
}

/** Fallback: without https or localhost, browsers deny the clipboard API, but a selection can still be copied. */
function copyByHand(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}
