// Keys that act on the card under the cursor, or on the one in full screen, bound while a page is open.

import { view } from "../state/view";
import { hoveredCard } from "./hovered_card";
import { isTyping } from "./keys";

export type CardKeys = Readonly<Record<string, (cardKey: string) => void>>;

/** Binds keys without Ctrl, Alt or Cmd; returns a function that unbinds them. Keys repeat only if in `repeats`. */
export function bindCardKeys(keys: CardKeys, repeats: readonly string[] = []): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
    const pressed = event.key.toLowerCase();
    const work = keys[pressed];
    const card = view.peek().full || hoveredCard.peek();
    if (work === undefined || card === null || card === "" || (event.repeat && !repeats.includes(pressed))) return;
    event.preventDefault();
    event.stopPropagation();
    work(card);
  };
  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}
