// The shapes of the hub's REST API. Times are ISO 8601 in UTC, null for never; durations are seconds, 0 for never, null
// for inherited.

export type Problem = {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly hint: string;
};

export type Page<T> = { readonly items: readonly T[]; readonly next_page_token: string };

// ---- boards

export type State = "Pending" | "Starting" | "Running" | "Idle" | "Stopping" | "Stopped" | "Failed" | "Deleting";
export type Visibility = "private" | "workspace" | "link" | "public";
export type BoardAction = "read" | "open" | "command" | "edit" | "delete" | "share" | "logs";

export type Source = { readonly uri: string; readonly prefix: string; readonly secret: string };
export type SourceProblem = { readonly uri: string; readonly code: string; readonly message: string };

export type Times = {
  readonly idle_after: number | null;
  readonly reclaim_after: number | null;
  readonly max_runtime: number | null;
};

export type Board = Times & {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly owner: string;
  readonly state: State;
  readonly reason: string;
  readonly message: string;
  readonly desired: "Run" | "Stop" | "Delete";
  readonly url: string;
  readonly sources: readonly Source[];
  readonly type: string;
  readonly visibility: Visibility;
  readonly labels: Readonly<Record<string, string>>;
  readonly source_type: string;
  readonly source_id: string;
  readonly wake_on_open: boolean;
  readonly created: string;
  readonly last_activity: string | null;
  readonly state_since: string | null;
  readonly started: string | null;
  readonly idle_at: string | null;
  readonly reclaim_at: string | null;
  readonly runtime_ends_at: string | null;
  readonly keep_alive_until: string | null;
  readonly generation: number;
  readonly observed_generation: number;
  readonly effective: Times;
  readonly problems: readonly SourceProblem[];
  readonly may: readonly BoardAction[];
};

export type BoardPage = Page<Board> & { readonly total: number };

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
  readonly more: boolean;
  readonly names: readonly string[];
};

export type BatchResult = {
  readonly id: string;
  readonly ok: boolean;
  readonly state?: State | undefined;
  readonly problem?: Problem | null | undefined;
};

export type BoardEvent = {
  readonly time: string;
  readonly kind: string;
  readonly actor: string;
  readonly reason: string;
  readonly message: string;
};

export type Usage = {
  readonly memory_bytes: number | null;
  readonly cpu_secs: number | null;
  readonly disk_bytes?: number | null | undefined;
  readonly last_used_by?: string | null | undefined;
};

export type Progress = {
  readonly phase: string;
  readonly percent: number | null;
  readonly message: string;
  readonly files_read: number | null;
  readonly files_total: number | null;
  readonly places?: readonly {
    readonly path: string;
    readonly problem: string | null;
    readonly detail: string;
    readonly files: number;
  }[];
};

export type Share = {
  readonly id: string;
  readonly created: string;
  readonly created_by: string;
  readonly role: string;
  readonly view: string;
  readonly expires: string | null;
  readonly revoked: string | boolean | null;
  readonly uses: number;
  readonly last_used: string | null;
};

export type Used = { readonly limit: number | null; readonly used: number };
export type Quota = {
  readonly account: Used;
  readonly workspace: Used & { readonly id: string };
  readonly hub: Used;
};

// ---- people

export type User = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly admin: boolean;
  readonly created: string;
  readonly last_seen: string | null;
};

export type Role = "owner" | "admin" | "editor" | "viewer";

export type Bounds = { readonly shortest: Partial<Times>; readonly longest: Partial<Times> };

export type Me = {
  readonly user: User;
  readonly via: string;
  readonly csrf: string;
  readonly scopes: readonly string[];
  readonly workspaces: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly personal: boolean;
  }[];
  /** The own workspace. */
  readonly workspace: string;
  readonly quota: Used;
  readonly hub: {
    readonly name: string;
    readonly version: string;
    readonly url: string;
    readonly self_service: boolean;
    readonly roots?: readonly string[] | undefined;
    readonly claims: readonly string[];
    readonly schemes: readonly string[];
    readonly bounds: Bounds;
    readonly policy: Times;
  };
};

// ---- workspaces

export type SecretKind = "s3" | "oss" | "gs" | "az" | "web";
export type Secret = {
  readonly name: string;
  readonly kind: SecretKind;
  readonly shown: Readonly<Record<string, string>>;
  readonly created: string;
  readonly created_by: string;
  readonly updated: string | null;
  readonly checked: string | null;
  readonly check_message: string;
  readonly used_by: readonly string[];
};
