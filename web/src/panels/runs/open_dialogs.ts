// Which dialog about runs is open. Menus, rows and pages open them here; run_dialogs.tsx shows them.

import { signal } from "@preact/signals";
import type { Anchor } from "../../widgets/popover";

export type RunDialog =
  | { readonly kind: "rename" | "note"; readonly run: string }
  | { readonly kind: "labels"; readonly runs: readonly string[] }
  | { readonly kind: "color"; readonly run: string; readonly anchor: Anchor }
  | { readonly kind: "menu"; readonly run: string; readonly anchor: Anchor }
  | { readonly kind: "top" | "colorBy" | "group" | "columns" };

export const openDialog = signal<RunDialog | null>(null);

export function closeDialog(): void {
  openDialog.value = null;
}
