// What may be done with an upload: that is decided by its board, and here guessed from the user's role; the hub checks.

import { signal } from "@preact/signals";
import { tell } from "../../state/toasts";
import { copyText } from "../../widgets/clipboard";
import type { MenuItem } from "../../widgets/menu";
import type { Upload } from "../api/uploads";
import { spoken } from "../preferences";
import { go, link } from "../router";
import { isAdmin, me } from "../session";
import * as shellArea from "../texts/shell";
import * as area from "../texts/uploads";

/** Uploads whose deletion the user is asked about; null: no dialog. */
export const deletion = signal<readonly Upload[] | null>(null);

export function nameOf({ name }: Pick<Upload, "name">): string {
  return name === "" ? spoken(area).noName : name;
}

/** Owners of uploads, and admins of the workspace or the hub. */
export function canChange({ owner, workspace }: Upload): boolean {
  const now = me.value;
  if (now === null) return false;
  const role = now.workspaces.find(({ id }) => id === workspace)?.role;
  return isAdmin.value || owner === now.user.name || role === "owner" || role === "admin";
}

export async function copyLink({ url }: Upload): Promise<void> {
  if (await copyText(url)) tell(spoken(area).linkCopied);
  else tell(spoken(shellArea).notCopied, { kind: "error" });
}

export function menuItems(upload: Upload): readonly MenuItem[] {
  const words = spoken(area);
  const path = ["uploads", upload.id];
  const share = { tab: "sharing" };
  return [
    { label: words.details, icon: "info", href: () => link(path), onSelect: () => go(path) },
    ...(upload.url === ""
      ? []
      : [{ label: words.copyLink, icon: "link" as const, onSelect: () => void copyLink(upload) }]),
    ...(canChange(upload) && upload.url !== ""
      ? [
          {
            label: words.share,
            icon: "share" as const,
            href: () => link(["boards", upload.board], share),
            onSelect: () => go(["boards", upload.board], share),
          },
        ]
      : []),
    ...(canChange(upload)
      ? ([
          "separator",
          {
            label: words.delete,
            icon: "trash",
            danger: true,
            onSelect: () => {
              deletion.value = [upload];
            },
          },
        ] as const)
      : []),
  ];
}
