// The table of keys of the hub's page, for handling them and for the help sheet. Pages put actions into `pageActions`.

import { signal } from "@preact/signals";
import type { BoundKeys } from "../base/keys";
import { go } from "./router";
import type { Texts } from "./texts/shell";

export type KeyGroup = keyof Texts["keys"]["groups"];
type KeyWord = Exclude<keyof Texts["keys"], "title" | "groups">;

export type HubKey = BoundKeys & { readonly group: KeyGroup; readonly label: KeyWord };

/** What the current page does for a key; null: the page has no such action. */
export const pageActions = {
  search: signal<(() => void) | null>(null),
  create: signal<(() => void) | null>(null),
} as const;

function search(): void {
  const { value } = pageActions.search;
  if (value !== null) value();
  else go(["boards"]);
}

function create(): void {
  const { value } = pageActions.create;
  if (value !== null) value();
  else go(["boards"], { create: "1" });
}

export const HUB_KEYS: readonly HubKey[] = [
  { group: "everywhere", keys: ["/"], label: "search", run: search },
  { group: "everywhere", keys: ["c"], label: "create", run: create },
  { group: "everywhere", keys: ["b"], label: "toBoards", run: () => go(["boards"]) },
  { group: "everywhere", keys: ["j"], label: "toJobs", run: () => go(["jobs"]) },
  { group: "everywhere", keys: ["u"], label: "toUploads", run: () => go(["uploads"]) },
  // the sheet itself is opened by shell.tsx
  { group: "everywhere", keys: ["?"], label: "help" },
  { group: "list", keys: ["up", "down"], label: "rows" },
  { group: "list", keys: ["pageup", "pagedown"], label: "pages" },
  { group: "list", keys: ["home", "end"], label: "ends" },
  { group: "list", keys: ["enter"], label: "open" },
  { group: "list", keys: ["o"], label: "launch" },
  { group: "list", keys: ["space", "x"], label: "select" },
  { group: "list", keys: ["shift+space"], label: "selectRange" },
  { group: "list", keys: ["mod+a"], label: "selectAll" },
  { group: "list", keys: ["m"], label: "menu" },
  { group: "list", keys: ["delete"], label: "remove" },
  { group: "list", keys: ["escape"], label: "leave" },
  { group: "forms", keys: ["mod+enter"], label: "submit" },
];
