// Calls of the REST API about people, workspaces and the hub. Shapes are those of the hub (generated.ts), with narrower
// words where it says only "text".

import { get, part, patch, post, put, remove, takeMe } from "./client";
import type * as made from "./generated";
import type { Me, Page, Quota, Role, SecretKind } from "./types";

// ---- signing in

export async function signIn(name: string, password: string): Promise<Me> {
  return takeMe(await post<Me>("session", { name, password } satisfies made.SignIn));
}

/** What a one-time link is for: "first-admin" or "reset". */
export type Link = made.Checked;

export function checkLink(link: string, signal?: AbortSignal): Promise<Link> {
  return get<Link>("links:check", { link }, signal);
}

export async function takeLink(link: string, choice: Omit<made.UseLink, "link">): Promise<Me> {
  return takeMe(await post<Me>("links:use", { link, ...choice }));
}

// ---- the own account

export function changeMe(change: made.ChangeMe): Promise<unknown> {
  return patch("me", change);
}

export type SessionRow = made.Session;

export async function fetchSessions(signal?: AbortSignal): Promise<readonly SessionRow[]> {
  return (await get<made.Sessions>("sessions", {}, signal)).items;
}

export function endSession(id: string): Promise<void> {
  return remove(`sessions/${part(id)}`);
}

export type Token = made.Token;
export type NewToken = made.MadeToken;

export async function fetchTokens(signal?: AbortSignal): Promise<readonly Token[]> {
  return (await get<made.Tokens>("tokens", {}, signal)).items;
}

export function createToken(token: made.NewToken): Promise<NewToken> {
  return post<NewToken>("tokens", token);
}

export function revokeToken(id: string): Promise<void> {
  return remove(`tokens/${part(id)}`);
}

export type AccessKey = made.AccessKey;
/** With its secret, which is shown once. */
export type NewAccessKey = made.MadeAccessKey;

export async function fetchAccessKeys(signal?: AbortSignal): Promise<readonly AccessKey[]> {
  return (await get<made.AccessKeys>("access_keys", {}, signal)).items;
}

export function createAccessKey(key: made.NewAccessKey): Promise<NewAccessKey> {
  return post<NewAccessKey>("access_keys", key);
}

export function deleteAccessKey(id: string): Promise<void> {
  return remove(`access_keys/${part(id)}`);
}

// ---- users

export type UserRow = made.User;
/** One-time links are shown once. */
export type MadeUser = made.MadeUser;
export type UserChange = made.ChangeUser;

export function fetchUsers(query: made.UsersQuery, signal?: AbortSignal): Promise<made.Users> {
  return get<made.Users>("users", query, signal);
}

export function createUser(user: made.NewUser): Promise<MadeUser> {
  return post<MadeUser>("users", user);
}

export function changeUser(name: string, change: UserChange): Promise<UserRow> {
  return patch<UserRow>(`users/${part(name)}`, change);
}

export function deleteUser(name: string): Promise<void> {
  return remove(`users/${part(name)}`);
}

export function resetUser(name: string): Promise<made.Link> {
  return post<made.Link>(`users/${part(name)}:reset`);
}

export type Person = made.FoundPerson;

/** Other users of the hub, by a part of their name. */
export function findPeople(q: string, signal?: AbortSignal): Promise<readonly Person[]> {
  return get<readonly Person[]>("people", { q }, signal);
}

// ---- workspaces

export type WorkspaceRow = made.Workspace;
export type Workspace = made.WorkspaceDetail;
export type WorkspaceChange = made.ChangeWorkspace;

export type WorkspaceAction =
  | "read"
  | "edit"
  | "delete"
  | "members"
  | "owners"
  | "secrets_read"
  | "secrets"
  | "create_board";

/** `mine`: only those of which the user is a member; admins of the hub otherwise see all. */
export async function fetchWorkspaces(mine: boolean, signal?: AbortSignal): Promise<readonly WorkspaceRow[]> {
  return (await get<made.Workspaces>("workspaces", { mine }, signal)).items;
}

export function fetchWorkspace(id: string, signal?: AbortSignal): Promise<Workspace> {
  return get<Workspace>(`workspaces/${part(id)}`, {}, signal);
}

export function createWorkspace(workspace: made.NewWorkspace): Promise<Workspace> {
  return post<Workspace>("workspaces", workspace);
}

export function changeWorkspace(id: string, change: WorkspaceChange): Promise<Workspace> {
  return patch<Workspace>(`workspaces/${part(id)}`, change);
}

export function deleteWorkspace(id: string): Promise<void> {
  return remove(`workspaces/${part(id)}`);
}

export function fetchRecentBoards(workspace: string, limit: number, signal?: AbortSignal): Promise<made.BoardPage> {
  return get<made.BoardPage>("boards", { workspace, limit, sort: "-last_activity" }, signal);
}

export function fetchQuota(workspace: string, signal?: AbortSignal): Promise<Quota> {
  return get<Quota>("quota", { workspace }, signal);
}

export type Member = made.Member;

export async function fetchMembers(workspace: string, signal?: AbortSignal): Promise<readonly Member[]> {
  return (await get<made.Members>(`workspaces/${part(workspace)}/members`, {}, signal)).items;
}

export function setMember(workspace: string, user: string, role: Role): Promise<unknown> {
  return put(`workspaces/${part(workspace)}/members/${part(user)}`, { role } satisfies made.NewRole);
}

export function removeMember(workspace: string, user: string): Promise<void> {
  return remove(`workspaces/${part(workspace)}/members/${part(user)}`);
}

// ---- secrets

export type Secret = made.Secret & { readonly kind: SecretKind };
export type SavedSecret = made.SavedSecret;
/** `ok` null: there was no address to test with. */
export type SecretCheck = made.Check;
/** `check` is an address that the credentials should read. */
export type SecretContent = made.TrySecret & { readonly name: string; readonly kind: SecretKind };

export async function fetchSecrets(workspace: string, signal?: AbortSignal): Promise<readonly Secret[]> {
  return (await get<Page<Secret>>(`workspaces/${part(workspace)}/secrets`, {}, signal)).items;
}

export function createSecret(workspace: string, secret: SecretContent, anyway: boolean): Promise<SavedSecret> {
  const body: made.NewSecret = { ...secret, save_anyway: anyway };
  return post<SavedSecret>(`workspaces/${part(workspace)}/secrets`, body);
}

export function replaceSecret(workspace: string, secret: SecretContent, anyway: boolean): Promise<SavedSecret> {
  const body: made.ChangeSecret = { ...secret, save_anyway: anyway };
  return put<SavedSecret>(`workspaces/${part(workspace)}/secrets/${part(secret.name)}`, body);
}

/** Tests credentials that are not saved. */
export function checkContent(workspace: string, secret: SecretContent): Promise<SecretCheck> {
  return post<SecretCheck>(`workspaces/${part(workspace)}/secrets:check`, secret);
}

/** Without a place, the hub takes one of a board that uses the secret. */
export function checkSecret(workspace: string, name: string, place: string): Promise<SecretCheck> {
  const body: made.CheckPlace = { place };
  return post<SecretCheck>(`workspaces/${part(workspace)}/secrets/${part(name)}:check`, body);
}

/** `force`: also if boards use it. */
export function deleteSecret(workspace: string, name: string, force: boolean): Promise<void> {
  return remove(`workspaces/${part(workspace)}/secrets/${part(name)}`, { query: { force } });
}

// ---- the hub

export type HubSettings = made.Settings;
export type Overview = made.Overview;
export type AuditEntry = made.Entry;

export function fetchSettings(signal?: AbortSignal): Promise<HubSettings> {
  return get<HubSettings>("settings", {}, signal);
}

export function changeSettings(change: made.ChangeSettings): Promise<HubSettings> {
  return patch<HubSettings>("settings", change);
}

export function fetchOverview(signal?: AbortSignal): Promise<Overview> {
  return get<Overview>("overview", {}, signal);
}

export function fetchAudit(query: made.AuditQuery, signal?: AbortSignal): Promise<made.Entries> {
  return get<made.Entries>("audit", query, signal);
}
