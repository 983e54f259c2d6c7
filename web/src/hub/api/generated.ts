// Made by tools/generate_hub_types.py from the routes of the hub. Do not edit; run it again.

export type AppliedManifest = {
  readonly name: string;
  /** null: `problem` says why */
  readonly board: Board | null;
  readonly result: "created" | "changed" | "unchanged" | "deleted" | "failed";
  /** fields that mean nothing outside a cluster */
  readonly ignored: readonly string[];
  readonly problem: Readonly<Record<string, unknown>> | null;
};

export type AppliedManifests = {
  readonly items: readonly AppliedManifest[];
};

export type ApplyManifests = {
  readonly text: string;
  /** of manifests that name none; by default the user's own */
  readonly workspace?: string;
  /** delete the user's boards from manifests of these workspaces that the text does not have */
  readonly prune?: boolean;
  /** needed if a board becomes public */
  readonly confirm_public?: boolean;
};

export type Batch = {
  readonly command: "start" | "stop" | "delete";
  readonly boards: readonly string[];
};

export type BatchResult = {
  readonly id: string;
  readonly ok: boolean;
  readonly state: State | null;
  readonly problem: Readonly<Record<string, unknown>> | null;
};

export type BatchResults = {
  readonly items: readonly BatchResult[];
};

export type Board = {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  /** the name of a user */
  readonly owner: string;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  readonly desired: Desired;
  readonly url: string;
  readonly sources: readonly Source[];
  /** "local", "claim", "s3", "oss", "gs", "az", "web", or "mixed" */
  readonly type: string;
  readonly visibility: Visibility;
  readonly labels: Readonly<Record<string, string>>;
  /** what it was created for, such as a training job */
  readonly source_type: string;
  readonly source_id: string;
  /** opening the link of a stopped board starts it */
  readonly wake_on_open: boolean;
  readonly created: string;
  readonly last_activity: string;
  readonly state_since: string;
  readonly started: string | null;
  /** null: never, or not in this state */
  readonly idle_at: string | null;
  readonly reclaim_at: string | null;
  readonly runtime_ends_at: string | null;
  readonly keep_alive_until: string | null;
  /** grows with each change of what is desired */
  readonly generation: number;
  readonly observed_generation: number;
  /** seconds, as chosen for this board; 0: never, null: inherited */
  readonly idle_after: number | null;
  readonly reclaim_after: number | null;
  readonly max_runtime: number | null;
  readonly effective: Effective;
  /** empty if nothing fails, or nothing is known */
  readonly problems: readonly SourceProblem[];
  /** what the asking user may */
  readonly may: readonly ("read" | "open" | "command" | "edit" | "delete" | "share" | "logs")[];
};

/** Members that are absent stay as they are. */
export type BoardChanges = {
  readonly name?: string;
  readonly sources?: readonly SourceBody[];
  readonly visibility?: Visibility;
  readonly confirm_public?: boolean;
  /** null: as the workspace */
  readonly idle_after?: number | string | null;
  readonly reclaim_after?: number | string | null;
  readonly max_runtime?: number | string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly wake_on_open?: boolean;
  /** only admins of the hub */
  readonly owner?: string;
};

export type BoardEvent = {
  readonly time: string;
  readonly kind: string;
  /** the name of a user, or "hub" */
  readonly actor: string;
  readonly reason: string;
  readonly message: string;
};

/** Newest first. */
export type BoardEvents = {
  readonly items: readonly BoardEvent[];
};

export type BoardPage = {
  readonly items: readonly Board[];
  readonly next_page_token: string;
  readonly total: number;
};

export type ChangesQuery = {
  readonly workspace?: string;
};

export type CheckSources = {
  readonly workspace?: string;
  readonly sources: readonly SourceBody[];
};

export type CheckedSources = {
  readonly items: readonly Found[];
};

export type CreateShare = {
  /** or "never" */
  readonly expires_in?: number | string;
  /** the part of the board's address after # */
  readonly view?: string;
};

export type DeleteManifests = {
  readonly text: string;
  readonly workspace?: string;
};

export type DeletedManifest = {
  readonly name: string;
  readonly result: "deleted" | "absent";
};

export type DeletedManifests = {
  readonly items: readonly DeletedManifest[];
};

export type Desired = "Run" | "Stop" | "Delete";

/** Seconds; 0: never. */
export type Effective = {
  readonly idle_after: number;
  readonly reclaim_after: number;
  readonly max_runtime: number;
};

/** `code` without `ok` is a problem, with it a warning. */
export type Found = {
  readonly uri: string;
  readonly ok: boolean;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly type: string;
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
  readonly newest: string | null;
  /** there was no time to count everything */
  readonly more: boolean;
  /** of the first runs */
  readonly names: readonly string[];
};

export type KeepAlive = {
  /** "never" ends it */
  readonly for?: number | string;
};

export type ListQuery = {
  /** several: with commas */
  readonly state?: string;
  readonly owner?: string;
  readonly workspace?: string;
  readonly source_type?: string;
  readonly source_id?: string;
  /** words that all occur in name, id, sources or labels */
  readonly q?: string;
  /** `-` before it: descending */
  readonly sort?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export type Logs = {
  readonly lines: readonly string[];
};

export type LogsQuery = {
  readonly lines?: number;
};

/** A board to create: with `uri` or `sources`. */
export type NewBoard = {
  /** by default the last part of the first source */
  readonly name?: string;
  readonly uri?: string;
  readonly sources?: readonly SourceBody[];
  /** by default the user's own */
  readonly workspace?: string;
  readonly visibility?: Visibility;
  /** needed for visibility "public" */
  readonly confirm_public?: boolean;
  /** seconds, "1h", "never"; null: as the workspace */
  readonly idle_after?: number | string | null;
  readonly reclaim_after?: number | string | null;
  readonly max_runtime?: number | string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly source_type?: string;
  readonly source_id?: string;
  readonly wake_on_open?: boolean;
};

export type NewShare = {
  readonly id: string;
  readonly created: string;
  /** the name of a user */
  readonly created_by: string;
  readonly role: Role;
  /** the part of the board's address after # */
  readonly view: string;
  /** null: never */
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly uses: number;
  readonly last_used: string | null;
  /** shown only now */
  readonly url: string;
};

export type Place = {
  readonly path: string;
  /** "" if it can be read */
  readonly problem: string;
  readonly detail: string;
  readonly files: number;
};

/** An error (RFC 9457). Some codes have more members. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** for programs */
  readonly code: string;
  readonly message: string;
  /** what to do */
  readonly hint: string;
};

export type Progress = {
  readonly phase: "absent" | "starting" | "listing" | "reading" | "ready";
  readonly percent: number;
  readonly message: string;
  readonly files_read: number;
  readonly files_total: number;
  readonly places: readonly Place[];
};

/** A board needs a free slot in all three. */
export type Quota = {
  readonly account: Used;
  readonly workspace: WorkspaceUsed;
  readonly hub: Used;
};

export type QuotaQuery = {
  /** by default the user's own */
  readonly workspace?: string;
};

export type Role = "viewer" | "editor" | "admin" | "owner";

export type Share = {
  readonly id: string;
  readonly created: string;
  /** the name of a user */
  readonly created_by: string;
  readonly role: Role;
  /** the part of the board's address after # */
  readonly view: string;
  /** null: never */
  readonly expires: string | null;
  readonly revoked: string | null;
  readonly uses: number;
  readonly last_used: string | null;
};

/** Newest first, revoked and expired ones included. */
export type ShareList = {
  readonly items: readonly Share[];
};

export type Source = {
  readonly uri: string;
  /** stands before the names of runs */
  readonly prefix: string;
  /** the name of a secret of the workspace */
  readonly secret: string;
};

export type SourceBody = {
  readonly uri: string;
  readonly prefix?: string;
  readonly secret?: string;
};

/** A source that the running board cannot read. */
export type SourceProblem = {
  readonly uri: string;
  readonly code: string;
  readonly message: string;
};

export type State = "Pending" | "Starting" | "Running" | "Idle" | "Stopping" | "Stopped" | "Failed" | "Deleting";

/** All 0 if the board has no process. */
export type Usage = {
  readonly memory_bytes: number;
  readonly cpu_secs: number;
  /** null: not known */
  readonly disk_bytes: number | null;
  /** "page", "request", or null */
  readonly last_used_by: string | null;
};

export type Used = {
  /** null: none */
  readonly limit: number | null;
  readonly used: number;
};

export type Visibility = "private" | "workspace" | "link" | "public";

export type WaitQuery = {
  /** seconds; until the board is settled */
  readonly wait?: number;
  /** to wait for; by default the newest */
  readonly generation?: number | null;
};

export type WorkspaceUsed = {
  /** null: none */
  readonly limit: number | null;
  readonly used: number;
  readonly id: string;
};
