// Saved views, stored by name beside the logs, and as files. A view is the text after # in the URL.

import { signal } from "@preact/signals";
import { deleteView, fetchViews, type View as SavedView, saveView } from "../api/client";
import { asProblem, board, onChange } from "./board";
import { formatAddress, openAddress, view } from "./view";

export type { SavedView };

/** Null until they are first loaded. */
export const savedViews = signal<readonly SavedView[] | null>(null);
/** `writable`: this board can store views; `place` is the directory. */
export const keeping = signal({ writable: true, place: "" });

/** Resolves to null, or to an error message. */
export async function loadViews(): Promise<string | null> {
  return settle(fetchViews());
}

export async function keepView(
  name: string,
  description = "",
  address = formatAddress(view.peek()),
): Promise<string | null> {
  return settle(saveView({ name, view: address, description }));
}

export async function dropView(name: string): Promise<string | null> {
  return settle(deleteView(name).then(() => fetchViews()));
}

async function settle(asked: ReturnType<typeof fetchViews>): Promise<string | null> {
  try {
    const { views, writable, place } = await asked;
    savedViews.value = views;
    keeping.value = { writable, place };
    return null;
  } catch (error) {
    const { message, hint } = asProblem(error);
    return hint === "" ? message : `${message}: ${hint}`;
  }
}

onChange((change) => {
  if (change.views && savedViews.peek() !== null) void loadViews();
});

export function openView(saved: SavedView): void {
  openAddress(saved.view);
}

// ---- as files

const MARK = "lightboard view";

export function viewAsFile(name: string): string {
  const content = { what: MARK, version: 1, name, board: board.peek()?.name ?? "", view: formatAddress(view.peek()) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Returns null if it is not a file of a view. */
export function readViewFile(text: string): { readonly name: string; readonly view: string } | null {
  try {
    const content = JSON.parse(text) as Partial<Record<string, unknown>> | null;
    // also accepts the server's own files, which have no `what`
    if (typeof content?.view !== "string" || (content.what ?? MARK) !== MARK) return null;
    return { name: typeof content.name === "string" ? content.name : "", view: content.view };
  } catch {
    return null;
  }
}
