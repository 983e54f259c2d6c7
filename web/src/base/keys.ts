// Keys of pages: how they are written, which event matches them, and the table that handles them. Keys are ignored while
// the user types or a dialog is open; those with Ctrl or Cmd that text fields do not use also work in text fields.

export type BoundKeys = {
  /** "mod" is Ctrl, or Cmd on a Mac. Each of the keys triggers the action. */
  readonly keys: readonly string[];
  /** Undefined: a part of the page handles the key; it is listed for the help sheet. */
  readonly run?: () => void;
  /** Also works while the user types. */
  readonly anywhere?: boolean;
};

const MAC = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "");

/** Formats "mod+shift+z" as printed on the user's keyboard. */
export function keyLabel(keys: string, mac = MAC): string {
  const names: Readonly<Record<string, string>> = {
    ...(mac ? { mod: "⌘", shift: "⇧", alt: "⌥" } : { mod: "Ctrl", shift: "Shift", alt: "Alt" }),
    escape: "Esc",
    space: "Space",
    enter: "Enter",
    backspace: "Backspace",
    left: "←",
    right: "→",
    up: "↑",
    down: "↓",
    pageup: "Page Up",
    pagedown: "Page Down",
    home: "Home",
    end: "End",
    delete: "Delete",
  };
  const parts = keys === "+" ? ["+"] : keys.split("+");
  return parts.map((part) => names[part] ?? part.toUpperCase()).join(mac ? "" : "+");
}

type Pressed = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

export function matches(keys: string, event: Pressed, mac = MAC): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  if (parts.includes("mod") !== mod || other || parts.includes("alt") !== event.altKey) return false;
  // "?" and "/" need Shift on some keyboards and not on others
  const letter = /^[a-z]$/.test(key);
  if ((letter || parts.includes("shift")) && parts.includes("shift") !== event.shiftKey) return false;
  // on a Mac, Alt changes the letter of a key
  if (letter && event.altKey) return event.code === `Key${key.toUpperCase()}`;
  return event.key.toLowerCase() === key;
}

const TYPED_INTO = new Set(["text", "search", "number", "password", "email", "url", "tel", "color"]);

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return TYPED_INTO.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}

/** Starts to handle the keys of the table. Returns a stop function. */
export function bindKeys(table: readonly BoundKeys[]): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    const busy = document.querySelector("dialog[open]") !== null;
    const typing = isTyping(event.target);
    for (const { keys, run, anywhere = false } of table) {
      if (run === undefined || busy || (typing && !anywhere)) continue;
      if (!keys.some((one) => matches(one, event))) continue;
      event.preventDefault();
      run();
      return;
    }
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
