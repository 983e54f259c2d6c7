// Short messages at the edge of the page: what happened, and at most one thing to do about it.

import { signal } from "@preact/signals";

export type Toast = {
  readonly id: number;
  readonly kind: "news" | "error";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

export const toasts = signal<readonly Toast[]>([]);

const NEWS_STAYS_MS = 5000;
let lastId = 0;

/** News goes by itself; an error stays until it is closed. */
export function tell(text: string, options: { kind?: Toast["kind"]; action?: Toast["action"] } = {}): void {
  lastId += 1;
  const toast = { id: lastId, kind: options.kind ?? "news", text, action: options.action ?? null };
  toasts.value = [...toasts.value, toast];
  if (toast.kind === "news") setTimeout(() => dismiss(toast.id), NEWS_STAYS_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
