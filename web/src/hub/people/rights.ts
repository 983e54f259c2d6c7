// Roles of a workspace, from the lowest; each may do what the one below may, and more (hub/people/may.py decides).

import type { Workspace, WorkspaceAction } from "../api/people";
import type { Role } from "../api/types";

export const ROLES: readonly Role[] = ["viewer", "editor", "admin", "owner"];

export function mayHere(workspace: Workspace, action: WorkspaceAction): boolean {
  return workspace.may.includes(action);
}
