// Requests about boards.

import { get, getText, part, patch, post, remove } from "./client";
import type {
  BatchResult,
  Board,
  BoardEvent,
  BoardPage,
  Found,
  Page,
  Progress,
  Quota,
  Secret,
  Share,
  Source,
  Usage,
  Visibility,
} from "./types";

export type BoardsQuery = {
  readonly q?: string;
  /** Words of states, separated by commas. */
  readonly state?: string;
  readonly workspace?: string;
  readonly owner?: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export function listBoards(query: BoardsQuery, signal?: AbortSignal): Promise<BoardPage> {
  return get("boards", query, signal);
}

export function fetchBoard(id: string): Promise<Board> {
  return get(`boards/${part(id)}`);
}

/** Durations as people write them ("1h", "never"); undefined: inherited. */
export type TimesDraft = {
  readonly idle_after?: string;
  readonly reclaim_after?: string;
  readonly max_runtime?: string;
};

export type NewBoard = TimesDraft & {
  readonly name?: string;
  readonly sources: readonly Source[];
  readonly workspace: string;
  readonly visibility: Visibility;
  readonly confirm_public?: boolean;
};

/** `key` makes a repeated request harmless: the hub creates one board per key. */
export function createBoard(board: NewBoard, key: string): Promise<Board> {
  return post("boards", board, { headers: { "idempotency-key": key } });
}

export type BoardChange = Partial<
  Pick<Board, "name" | "visibility" | "sources" | "wake_on_open" | "labels"> & {
    readonly idle_after: string | null;
    readonly reclaim_after: string | null;
    readonly max_runtime: string | null;
    readonly confirm_public: boolean;
  }
>;

/** Refused with 412 if somebody changed the board since `generation`. */
export function changeBoard(id: string, change: BoardChange, generation: number): Promise<Board> {
  return patch(`boards/${part(id)}`, change, { headers: { "if-match": `"${generation}"` } });
}

export function deleteBoard(id: string): Promise<Board> {
  return remove(`boards/${part(id)}`);
}

export function commandBoard(id: string, command: "start" | "stop"): Promise<Board> {
  return post(`boards/${part(id)}:${command}`);
}

export function keepAlive(id: string, duration: string): Promise<Board> {
  return post(`boards/${part(id)}:keepalive`, { for: duration });
}

/** At most `BATCH_LIMIT` boards. */
export function commandBoards(
  command: "start" | "stop" | "delete",
  boards: readonly string[],
): Promise<{ readonly items: readonly BatchResult[] }> {
  return post("boards:batch", { command, boards });
}

export const BATCH_LIMIT = 1000;

export function checkSources(
  workspace: string,
  sources: readonly Source[],
  signal?: AbortSignal,
): Promise<{ readonly items: readonly Found[] }> {
  return post("boards:check", { workspace, sources }, { signal });
}

export function fetchQuota(workspace = ""): Promise<Quota> {
  return get("quota", { workspace });
}

// ---- parts of one board

export function fetchEvents(id: string): Promise<{ readonly items: readonly BoardEvent[] }> {
  return get(`boards/${part(id)}/events`);
}

export function fetchLogs(id: string, lines: number): Promise<{ readonly lines: readonly string[] }> {
  return get(`boards/${part(id)}/logs`, { lines });
}

export function fetchUsage(id: string): Promise<Usage> {
  return get(`boards/${part(id)}/usage`);
}

export function fetchProgress(id: string): Promise<Progress> {
  return get(`boards/${part(id)}/progress`);
}

export function fetchManifest(id: string): Promise<string> {
  return getText(`boards/${part(id)}/manifest`);
}

export function fetchShares(id: string): Promise<{ readonly items: readonly Share[] }> {
  return get(`boards/${part(id)}/shares`);
}

/** The only answer that has the link. */
export function createShare(
  id: string,
  share: { readonly expires_in: string; readonly view: string },
): Promise<Share & { readonly url: string }> {
  return post(`boards/${part(id)}/shares`, share);
}

export function revokeShare(id: string, share: string): Promise<void> {
  return remove(`boards/${part(id)}/shares/${part(share)}`);
}

export function listSecrets(workspace: string): Promise<Page<Secret>> {
  return get(`workspaces/${part(workspace)}/secrets`);
}
