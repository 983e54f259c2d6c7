// Short messages at the edge of the page: what happened, and at most one action.

import { signal } from "@preact/signals";

export type Toast = {
  readonly id: number;
  readonly kind: "news" | "error";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

export type ToastOptions = {
  readonly kind?: Toast["kind"];
  readonly action?: Toast["action"];
  /** Stays until it is closed or `dismiss` is called; errors always stay. */
  readonly stays?: boolean;
};

export const toasts = signal<readonly Toast[]>([]);

const NEWS_STAYS_MS = 5000;
// a message with an action stays longer, so that there is time to click it
const ACTION_STAYS_MS = 10_000;
// a repeated error must not cover the page
const MOST_AT_ONCE = 4;
let lastId = 0;

/** Shows a message. News disappear automatically; an error stays until it is closed. Returns an id for `dismiss`. */
export function tell(text: string, options: ToastOptions = {}): number {
  const { kind = "news", action = null, stays = false } = options;
  // an equal message replaces the old one
  const others = toasts.value.filter((toast) => toast.text !== text);
  lastId += 1;
  const id = lastId;
  toasts.value = [...others, { id, kind, text, action }].slice(-MOST_AT_ONCE);
  if (kind === "news" && !stays) setTimeout(() => dismiss(id), action === null ? NEWS_STAYS_MS : ACTION_STAYS_MS);
  return id;
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
