// Calls of the REST API about people, workspaces and the hub, and the shapes of their answers.

import { get, part, patch, post, put, remove, takeMe } from "./client";
import type { BoardPage, Bounds, Me, Page, Quota, Role, Secret, SecretKind, Times } from "./types";

// ---- signing in

export async function signIn(name: string, password: string): Promise<Me> {
  return takeMe(await post<Me>("session", { name, password }));
}

export type LinkPurpose = "first-admin" | "reset";
export type Link = { readonly purpose: LinkPurpose; readonly user: string; readonly expires: string | null };

export function checkLink(link: string, signal?: AbortSignal): Promise<Link> {
  return get<Link>("links:check", { link }, signal);
}

export async function takeLink(link: string, choice: { password: string; name?: string }): Promise<Me> {
  return takeMe(await post<Me>("links:use", { link, ...choice }));
}

// ---- the own account

export function changeMe(change: {
  display_name?: string;
  password?: string;
  old_password?: string;
}): Promise<unknown> {
  return patch("me", change);
}

export type SessionRow = {
  readonly id: string;
  readonly created: string;
  readonly last_used: string | null;
  readonly expires: string | null;
  readonly address: string;
  readonly agent: string;
  readonly current: boolean;
};

export async function fetchSessions(signal?: AbortSignal): Promise<readonly SessionRow[]> {
  return (await get<Page<SessionRow>>("sessions", {}, signal)).items;
}

export function endSession(id: string): Promise<void> {
  return remove(`sessions/${part(id)}`);
}

export type Token = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
};

export type NewToken = Token & { readonly token: string };

export async function fetchTokens(signal?: AbortSignal): Promise<readonly Token[]> {
  return (await get<Page<Token>>("tokens", {}, signal)).items;
}

export function createToken(token: { name: string; scopes: readonly string[]; expires_in: string }): Promise<NewToken> {
  return post<NewToken>("tokens", token);
}

export function revokeToken(id: string): Promise<void> {
  return remove(`tokens/${part(id)}`);
}

// ---- users

export type UserRow = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly admin: boolean;
  readonly enabled: boolean;
  readonly created: string;
  readonly last_seen: string | null;
  readonly has_password: boolean;
  /** Active ones. */
  readonly boards: number;
  /** Null: no limit; "default": the hub's. */
  readonly boards_limit: number | "default" | null;
};

/** One-time links are shown once. */
export type MadeUser = UserRow & { readonly link: string; readonly link_expires: string | null };

export function fetchUsers(query: { q?: string; page_token?: string }, signal?: AbortSignal): Promise<Page<UserRow>> {
  return get<Page<UserRow>>("users", query, signal);
}

export function createUser(user: {
  name: string;
  password?: string;
  display_name?: string;
  admin?: boolean;
}): Promise<MadeUser> {
  return post<MadeUser>("users", user);
}

export type UserChange = {
  readonly display_name?: string;
  readonly admin?: boolean;
  readonly enabled?: boolean;
  readonly boards_limit?: number | "default" | null;
};

export function changeUser(name: string, change: UserChange): Promise<UserRow> {
  return patch<UserRow>(`users/${part(name)}`, change);
}

export function deleteUser(name: string): Promise<void> {
  return remove(`users/${part(name)}`);
}

export function resetUser(name: string): Promise<{ readonly link: string; readonly expires: string | null }> {
  return post(`users/${part(name)}:reset`);
}

export type Person = { readonly name: string; readonly display_name: string };

/** Other users of the hub, by the start of a name. */
export function findPeople(q: string, signal?: AbortSignal): Promise<readonly Person[]> {
  return get<readonly Person[]>("people", { q }, signal);
}

// ---- workspaces

export type WorkspaceRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly personal: boolean;
  /** Null: the user sees it as an admin of the hub. */
  readonly role: Role | null;
  readonly members: number;
  readonly boards: number;
  readonly created: string;
};

export type WorkspaceAction =
  | "read"
  | "edit"
  | "delete"
  | "members"
  | "owners"
  | "secrets_read"
  | "secrets"
  | "create_board";

export type Workspace = WorkspaceRow &
  Times & {
    /** What counts for boards, with the hub's settings. */
    readonly effective: Times;
    readonly boards_limit: number | "default" | null;
    readonly boards_active: number;
    /** What the user may do here. */
    readonly may: readonly WorkspaceAction[];
  };

/** `mine`: only those of which the user is a member; admins of the hub otherwise see all. */
export async function fetchWorkspaces(mine: boolean, signal?: AbortSignal): Promise<readonly WorkspaceRow[]> {
  return (await get<Page<WorkspaceRow>>("workspaces", { mine }, signal)).items;
}

export function fetchWorkspace(id: string, signal?: AbortSignal): Promise<Workspace> {
  return get<Workspace>(`workspaces/${part(id)}`, {}, signal);
}

export function createWorkspace(workspace: { id: string; name: string; description: string }): Promise<Workspace> {
  return post<Workspace>("workspaces", workspace);
}

export type WorkspaceChange = Partial<Times> & {
  readonly name?: string;
  readonly description?: string;
  readonly boards_limit?: number | "default" | null;
};

export function changeWorkspace(id: string, change: WorkspaceChange): Promise<Workspace> {
  return patch<Workspace>(`workspaces/${part(id)}`, change);
}

export function deleteWorkspace(id: string): Promise<void> {
  return remove(`workspaces/${part(id)}`);
}

export function fetchRecentBoards(workspace: string, limit: number, signal?: AbortSignal): Promise<BoardPage> {
  return get<BoardPage>("boards", { workspace, limit, sort: "-last_activity" }, signal);
}

export function fetchQuota(workspace: string, signal?: AbortSignal): Promise<Quota> {
  return get<Quota>("quota", { workspace }, signal);
}

export type Member = {
  readonly user: string;
  readonly display_name: string;
  readonly role: Role;
  readonly since: string;
};

export async function fetchMembers(workspace: string, signal?: AbortSignal): Promise<readonly Member[]> {
  return (await get<Page<Member>>(`workspaces/${part(workspace)}/members`, {}, signal)).items;
}

export function setMember(workspace: string, user: string, role: Role): Promise<unknown> {
  return put(`workspaces/${part(workspace)}/members/${part(user)}`, { role });
}

export function removeMember(workspace: string, user: string): Promise<void> {
  return remove(`workspaces/${part(workspace)}/members/${part(user)}`);
}

// ---- secrets

/** `ok` null: there was no address to test with. */
export type SecretCheck = {
  readonly ok: boolean | null;
  readonly message: string;
  readonly code?: string | undefined;
  readonly hint?: string | undefined;
};
export type SavedSecret = Secret & { readonly check: SecretCheck };

export type SecretContent = {
  readonly name: string;
  readonly kind: SecretKind;
  readonly members: Readonly<Record<string, string>>;
  /** An address that the credentials should read. */
  readonly check?: string;
};

export async function fetchSecrets(workspace: string, signal?: AbortSignal): Promise<readonly Secret[]> {
  return (await get<Page<Secret>>(`workspaces/${part(workspace)}/secrets`, {}, signal)).items;
}

export function createSecret(workspace: string, secret: SecretContent, anyway: boolean): Promise<SavedSecret> {
  return post<SavedSecret>(`workspaces/${part(workspace)}/secrets`, { ...secret, save_anyway: anyway });
}

export function replaceSecret(workspace: string, secret: SecretContent, anyway: boolean): Promise<SavedSecret> {
  const { name, ...content } = secret;
  return put<SavedSecret>(`workspaces/${part(workspace)}/secrets/${part(name)}`, { ...content, save_anyway: anyway });
}

/** Tests credentials that are not saved. */
export function checkContent(workspace: string, secret: SecretContent): Promise<SecretCheck> {
  return post<SecretCheck>(`workspaces/${part(workspace)}/secrets:check`, secret);
}

export function checkSecret(workspace: string, name: string, place: string): Promise<SecretCheck> {
  const body = place === "" ? {} : { place };
  return post<SecretCheck>(`workspaces/${part(workspace)}/secrets/${part(name)}:check`, body);
}

/** `force`: also if boards use it. */
export function deleteSecret(workspace: string, name: string, force: boolean): Promise<void> {
  return remove(`workspaces/${part(workspace)}/secrets/${part(name)}`, { query: { force } });
}

// ---- the hub

export type HubSettings = Times & {
  /** Null: no limit. */
  readonly per_account: number | null;
  readonly per_workspace: number | null;
  readonly per_hub: number | null;
  readonly bounds: Bounds;
};

export function fetchSettings(signal?: AbortSignal): Promise<HubSettings> {
  return get<HubSettings>("settings", {}, signal);
}

export function changeSettings(change: Partial<HubSettings>): Promise<HubSettings> {
  return patch<HubSettings>("settings", change);
}

export type Overview = {
  readonly boards: Readonly<Record<string, number>>;
  readonly users: number;
  readonly workspaces: number;
  readonly version: string;
  /** Empty for a moment, while no process is. */
  readonly leader: string;
  readonly database: string;
};

export function fetchOverview(signal?: AbortSignal): Promise<Overview> {
  return get<Overview>("overview", {}, signal);
}

export type AuditEntry = {
  readonly id: number | string;
  readonly time: string;
  readonly actor: string;
  readonly action: string;
  readonly thing: string;
  readonly workspace: string;
  readonly outcome: string;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditQuery = {
  readonly actor?: string;
  readonly thing?: string;
  readonly workspace?: string;
  readonly page_token?: string;
};

export function fetchAudit(query: AuditQuery, signal?: AbortSignal): Promise<Page<AuditEntry>> {
  return get<Page<AuditEntry>>("audit", query, signal);
}
