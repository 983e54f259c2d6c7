// Workspaces in which the user may create boards.

import { computed } from "@preact/signals";
import type { Me, Role } from "./api/types";
import { me } from "./session";

const MAY_CREATE: ReadonlySet<Role> = new Set(["owner", "admin", "editor"]);

/** The own workspace first. */
export const creators = computed<Me["workspaces"]>(() => {
  const all = me.value?.workspaces ?? [];
  const allowed = all.filter(({ role }) => MAY_CREATE.has(role));
  return [...allowed].sort((one, other) => Number(other.personal) - Number(one.personal));
});

/** The name of a workspace for people; its id if the user is not a member. */
export function workspaceName(id: string): string {
  return me.value?.workspaces.find((one) => one.id === id)?.name || id;
}
