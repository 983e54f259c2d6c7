// Made by tools/generate_hub_types.py from the routes of the hub. Do not edit; run it again.

export type AboutHub = {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly self_service: boolean;
  /** for admins only */
  readonly roots: readonly string[];
  readonly claims: readonly string[];
  readonly schemes: readonly string[];
  readonly bounds: Bounds;
  readonly policy: Policy;
};

export type AccessKey = {
  readonly id: string;
  /** the same */
  readonly access_key_id: string;
  readonly name: string;
  readonly user: string;
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
};

export type AccessKeys = {
  readonly items: readonly AccessKey[];
  readonly next_page_token: string;
};

export type AppendQuery = {
  /** of the first byte of the body in the job's whole output */
  readonly offset: number;
};

export type Appended = {
  /** what the hub has now; send from here on */
  readonly size: number;
};

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

export type AuditQuery = {
  readonly actor?: string;
  readonly thing?: string;
  readonly workspace?: string;
  readonly limit?: number;
  readonly page_token?: string;
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

export type Begin = {
  /** about to be sent */
  readonly bytes?: number;
  readonly files?: number;
  /** to continue it */
  readonly session?: string;
  /** ends the session of another client */
  readonly take_over?: boolean;
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

export type BoardMode = "own" | "label" | "none";

export type BoardPage = {
  readonly items: readonly Board[];
  readonly next_page_token: string;
  readonly total: number;
};

export type BoardStatus = "Waiting" | "Made" | "BoardSkipped" | "None";

/** What others than admins may choose for a board; null: no bound, 0: never. */
export type Bounds = {
  readonly shortest: Policy;
  readonly longest: Policy;
};

export type ChangeBounds = {
  readonly shortest?: SomePolicy;
  readonly longest?: SomePolicy;
};

export type ChangeMe = {
  readonly display_name?: string;
  readonly password?: string;
  readonly old_password?: string;
};

export type ChangeSecret = {
  readonly kind: string;
  readonly members: Readonly<Record<string, string>>;
  /** as in the address, if it is there */
  readonly name?: string;
  readonly check?: string;
  readonly save_anyway?: boolean;
};

/** A time that is null becomes the default again; a bound or limit that is null ends. */
export type ChangeSettings = {
  readonly idle_after?: number | string | null;
  readonly reclaim_after?: number | string | null;
  readonly max_runtime?: number | string | null;
  readonly per_account?: number | null;
  readonly per_workspace?: number | null;
  readonly per_hub?: number | null;
  readonly bounds?: ChangeBounds;
};

export type ChangeUser = {
  readonly display_name?: string;
  readonly admin?: boolean;
  readonly enabled?: boolean;
  readonly password?: string;
  readonly boards_limit?: number | "default" | null;
};

export type ChangeWorkspace = {
  readonly idle_after?: number | string | null;
  readonly reclaim_after?: number | string | null;
  readonly max_runtime?: number | string | null;
  readonly name?: string;
  readonly description?: string;
  /** for admins of the hub */
  readonly boards_limit?: number | "default" | null;
};

export type ChangesQuery = {
  readonly workspace?: string;
};

/** `ok` null: there was no place to try it with. `code` and `hint` say why it failed. */
export type Check = {
  readonly ok: boolean | null;
  readonly message: string;
  readonly code: string;
  readonly hint: string;
};

export type CheckPlace = {
  /** default: where a board uses it */
  readonly place?: string;
};

export type CheckSources = {
  readonly workspace?: string;
  readonly sources: readonly SourceBody[];
};

export type Checked = {
  readonly purpose: string;
  readonly user: string;
  readonly expires: string;
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

export type DataQuery = {
  readonly session?: string;
  /** of all parts, decoded */
  readonly bytes?: number;
};

export type DeleteManifests = {
  readonly text: string;
  readonly workspace?: string;
};

export type DeleteQuery = {
  /** what happens to the board that was made for this job alone */
  readonly board?: "keep" | "remove";
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

export type Entries = {
  readonly items: readonly Entry[];
  readonly next_page_token: string;
};

export type Entry = {
  readonly id: number;
  readonly time: string;
  readonly actor: string;
  readonly action: string;
  readonly thing: string;
  readonly workspace: string;
  /** "ok", or the code of the refusal */
  readonly outcome: string;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type File = {
  readonly path: string;
  readonly size: number;
  /** CRC-32; null if the hub wrote the file */
  readonly checksum: number | null;
};

/** In the order of paths. `next_after` is empty at the end. */
export type FileList = {
  readonly items: readonly File[];
  readonly next_after: string;
};

export type FileQuery = {
  readonly path?: string;
  readonly offset?: number;
};

export type FilesQuery = {
  readonly after?: string;
  readonly limit?: number;
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

export type FoundPerson = {
  readonly name: string;
  readonly display_name: string;
};

export type Frame = {
  /** for a frame; works for five minutes, and the page that opened it for twelve hours */
  readonly url: string;
  /** pages that may show it, as in a Content-Security-Policy */
  readonly frame_ancestors: readonly string[];
};

export type Git = {
  readonly commit?: string;
  readonly branch?: string;
  readonly remote?: string;
  readonly dirty?: boolean;
  readonly diff?: string;
  readonly diff_cut?: boolean;
};

export type Job = {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  /** the name of a user */
  readonly user: string;
  readonly state: JobState;
  readonly reason: JobReason;
  readonly message: string;
  readonly exit_code: number | null;
  /** "SIGKILL", or "" */
  readonly signal: string;
  readonly command: readonly string[];
  readonly directory: string;
  readonly host: string;
  /** where its event files are */
  readonly logdir: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly last_report: string | null;
  /** until now if it runs; null if it has not started */
  readonly duration_secs: number | null;
  readonly stop_requested: string | null;
  /** the name of a user */
  readonly stop_by: string;
  readonly stop_grace_secs: number;
  /** the newest of the machine: cpu_percent, memory_bytes, gpu0_percent, … */
  readonly figures: Readonly<Record<string, number>>;
  /** event files are there */
  readonly has_events: boolean;
  readonly board_mode: BoardMode;
  readonly board_label: string;
  readonly board_status: BoardStatus;
  /** why it was skipped */
  readonly board_message: string;
  /** null: none, or none that the client may see */
  readonly board: JobBoard | null;
  /** that the job printed; grows until it ends */
  readonly log_bytes: number;
  /** a command line that runs it again */
  readonly rerun: string;
  /** what the asking user may */
  readonly may: readonly ("read" | "logs" | "command" | "report" | "delete")[];
};

export type JobBoard = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly state: State;
};

/** Members that are absent stay as they are. */
export type JobChanges = {
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
};

export type JobDetail = {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  /** the name of a user */
  readonly user: string;
  readonly state: JobState;
  readonly reason: JobReason;
  readonly message: string;
  readonly exit_code: number | null;
  /** "SIGKILL", or "" */
  readonly signal: string;
  readonly command: readonly string[];
  readonly directory: string;
  readonly host: string;
  /** where its event files are */
  readonly logdir: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly last_report: string | null;
  /** until now if it runs; null if it has not started */
  readonly duration_secs: number | null;
  readonly stop_requested: string | null;
  /** the name of a user */
  readonly stop_by: string;
  readonly stop_grace_secs: number;
  /** the newest of the machine: cpu_percent, memory_bytes, gpu0_percent, … */
  readonly figures: Readonly<Record<string, number>>;
  /** event files are there */
  readonly has_events: boolean;
  readonly board_mode: BoardMode;
  readonly board_label: string;
  readonly board_status: BoardStatus;
  /** why it was skipped */
  readonly board_message: string;
  /** null: none, or none that the client may see */
  readonly board: JobBoard | null;
  /** that the job printed; grows until it ends */
  readonly log_bytes: number;
  /** a command line that runs it again */
  readonly rerun: string;
  /** what the asking user may */
  readonly may: readonly ("read" | "logs" | "command" | "report" | "delete")[];
  /** null: the asking user may not see it */
  readonly environment: Readonly<Record<string, string>> | null;
  readonly git: JobGit | null;
};

export type JobGit = {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  /** there were changes that were not committed */
  readonly dirty: boolean;
  readonly diff: string;
  /** the diff is longer than what is kept */
  readonly diff_cut: boolean;
};

export type JobListQuery = {
  /** several: with commas */
  readonly state?: string;
  readonly user?: string;
  readonly workspace?: string;
  /** "name=value"; several: with commas */
  readonly label?: string;
  /** words that all occur in name, id, command, host or labels */
  readonly q?: string;
  /** created, name, state, user, workspace */
  readonly sort?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export type JobPage = {
  readonly items: readonly Job[];
  readonly next_page_token: string;
  readonly total: number;
};

export type JobReason =
  | ""
  | "ExitCode"
  | "Signal"
  | "OutOfMemory"
  | "NotStarted"
  | "StopRequested"
  | "HeartbeatLost"
  | "RunnerEnded";

export type JobState = "Registered" | "Running" | "Stopping" | "Succeeded" | "Failed" | "Stopped" | "Lost";

export type JobWaitQuery = {
  /** seconds, at most LONGEST_WAIT_SECS; until the job has ended */
  readonly wait?: number;
};

export type KeepAlive = {
  /** "never" ends it */
  readonly for?: number | string;
};

export type LabelBoard = {
  /** "name=value" */
  readonly label: string;
  /** by default the user's own */
  readonly workspace?: string;
};

export type Link = {
  /** the only time it is shown */
  readonly link: string;
  readonly expires: string;
};

export type LinkQuery = {
  readonly link: string;
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

export type LogQuery = {
  /** negative: from the end */
  readonly offset?: number;
  readonly limit?: number;
  /** seconds, until something comes after `offset`, or the job ends */
  readonly wait?: number;
};

export type Logs = {
  readonly lines: readonly string[];
};

export type LogsQuery = {
  readonly lines?: number;
};

export type MadeAccessKey = {
  readonly id: string;
  /** the same */
  readonly access_key_id: string;
  readonly name: string;
  readonly user: string;
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
  /** the only time it is shown */
  readonly access_key_secret: string;
};

export type MadeToken = {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
  /** the only time it is shown */
  readonly token: string;
};

export type MadeUser = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly admin: boolean;
  readonly created: string;
  readonly last_seen: string | null;
  readonly enabled: boolean;
  readonly has_password: boolean;
  /** active ones */
  readonly boards: number;
  readonly boards_limit: number | "default" | null;
  /** if no password was given */
  readonly link: string;
  readonly link_expires: string | null;
};

export type Me = {
  readonly user: Person;
  /** session or token */
  readonly via: string;
  /** writes of a session send it as X-Lightboard-CSRF */
  readonly csrf: string;
  /** of a token; empty: everything that the user may */
  readonly scopes: readonly string[];
  readonly workspaces: readonly MyWorkspace[];
  /** the account's own */
  readonly workspace: string;
  readonly quota: MyQuota;
  readonly hub: AboutHub;
};

export type Member = {
  readonly user: string;
  readonly display_name: string;
  readonly role: Role;
  readonly since: string;
};

export type Members = {
  readonly items: readonly Member[];
  readonly next_page_token: string;
};

/** Active boards of the account; `limit` null: no limit. */
export type MyQuota = {
  readonly limit: number | null;
  readonly used: number;
};

export type MyWorkspace = {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly personal: boolean;
};

export type NewAccessKey = {
  readonly name?: string;
  /** for admins; default: oneself */
  readonly user?: string;
  /** null or "never": does not expire */
  readonly expires_in?: number | string | null;
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
  /** for `oss://` without a secret: a claim or a secret of the workspace that fits */
  readonly find_secrets?: boolean;
};

/** A job to register. Everything but the name may be left out. */
export type NewJob = {
  readonly name: string;
  /** by default the user's own */
  readonly workspace?: string;
  readonly command?: readonly string[];
  readonly directory?: string;
  readonly host?: string;
  /** where it writes event files, as the hub reads it */
  readonly logdir?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly git?: Git | null;
  /** by default now */
  readonly started?: number | null;
  /** 0: nobody reports */
  readonly heartbeat_secs?: number;
  readonly board?: BoardMode;
  /** the name of a label, with `board` "label" */
  readonly board_label?: string;
};

export type NewMember = {
  readonly user: string;
  readonly role?: Role;
};

export type NewRole = {
  readonly role: Role;
};

export type NewSecret = {
  readonly name: string;
  /** s3, oss, gs, az or web */
  readonly kind: string;
  /** as hub/sources/secrets.py lists them */
  readonly members: Readonly<Record<string, string>>;
  /** a place to try it with, such as s3://bucket/path */
  readonly check?: string;
  readonly save_anyway?: boolean;
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

export type NewToken = {
  readonly name: string;
  /** for admins; default: oneself */
  readonly user?: string;
  /** noqa: RUF012 msgspec copies it */
  readonly scopes?: readonly string[];
  /** null or "never": does not expire */
  readonly expires_in?: number | string | null;
};

export type NewUpload = {
  readonly name?: string;
  readonly description?: string;
  readonly workspace?: string;
  readonly visibility?: Visibility;
  readonly confirm_public?: boolean;
};

export type NewUser = {
  readonly name: string;
  /** without one, the answer has a link by which the user sets it */
  readonly password?: string;
  readonly display_name?: string;
  readonly admin?: boolean;
};

export type NewWorkspace = {
  /** a DNS label; default: made from the name */
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
};

/** What a runner should do. */
export type Orders = {
  readonly state: JobState;
  readonly stop: boolean;
  /** from the first signal to SIGKILL */
  readonly grace_secs: number;
  /** of the console that the hub has */
  readonly log_bytes: number;
};

export type Overview = {
  /** by state */
  readonly boards: Readonly<Record<string, number>>;
  readonly users: number;
  readonly workspaces: number;
  readonly version: string;
  /** the hub process that keeps boards, "" for a moment while none does */
  readonly leader: string;
  /** sqlite or postgresql */
  readonly database: string;
};

export type PeopleQuery = {
  readonly q?: string;
};

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly admin: boolean;
  readonly created: string;
  readonly last_seen: string | null;
};

export type Place = {
  readonly path: string;
  /** "" if it can be read */
  readonly problem: string;
  readonly detail: string;
  readonly files: number;
};

/** Seconds; 0: never, null: inherited. */
export type Policy = {
  readonly idle_after: number | null;
  readonly reclaim_after: number | null;
  readonly max_runtime: number | null;
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

export type Removal = {
  /** also if boards use it */
  readonly force?: boolean;
};

/** `left`: what could not be removed, with reasons. Delete again to try again. */
export type Removed = {
  readonly files: number;
  readonly bytes: number;
  readonly left: readonly string[];
};

/** What a runner says every few seconds, and at the end (`ended`). */
export type Report = {
  readonly ended?: number | null;
  readonly exit_code?: number | null;
  /** "SIGKILL" */
  readonly signal?: string;
  readonly out_of_memory?: boolean;
  /** why it did not start */
  readonly message?: string;
  readonly figures?: Readonly<Record<string, number>> | null;
  /** event files are there; null: the runner cannot see them, so the hub looks */
  readonly has_events?: boolean | null;
  readonly log_bytes?: number | null;
};

export type Role = "viewer" | "editor" | "admin" | "owner";

export type SavedSecret = {
  readonly name: string;
  readonly kind: string;
  /** endpoint, region, and the principal, shortened */
  readonly shown: Readonly<Record<string, string>>;
  readonly created: string;
  /** who saved it last */
  readonly created_by: string;
  readonly updated: string;
  readonly checked: string | null;
  readonly check_message: string;
  /** ids of boards that the client may see */
  readonly used_by: readonly string[];
  readonly check: Check;
};

export type Secret = {
  readonly name: string;
  readonly kind: string;
  /** endpoint, region, and the principal, shortened */
  readonly shown: Readonly<Record<string, string>>;
  readonly created: string;
  /** who saved it last */
  readonly created_by: string;
  readonly updated: string;
  readonly checked: string | null;
  readonly check_message: string;
  /** ids of boards that the client may see */
  readonly used_by: readonly string[];
};

export type Secrets = {
  readonly items: readonly Secret[];
  readonly next_page_token: string;
};

export type Session = {
  readonly id: string;
  readonly created: string;
  readonly last_used: string;
  readonly expires: string;
  readonly address: string;
  readonly agent: string;
  readonly current: boolean;
};

export type SessionBody = {
  readonly session: string;
  readonly end?: boolean;
};

export type Sessions = {
  readonly items: readonly Session[];
  readonly next_page_token: string;
};

/** Seconds, 0: never. Limits count active boards, null: no limit. */
export type Settings = {
  readonly idle_after: number | null;
  readonly reclaim_after: number | null;
  readonly max_runtime: number | null;
  readonly per_account: number | null;
  readonly per_workspace: number | null;
  readonly per_hub: number | null;
  readonly bounds: Bounds;
};

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

export type SignIn = {
  readonly name: string;
  readonly password: string;
};

/** Members of a policy to change. */
export type SomePolicy = {
  readonly idle_after?: number | string | null;
  readonly reclaim_after?: number | string | null;
  readonly max_runtime?: number | string | null;
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

export type Stop = {
  /** from the first signal to SIGKILL */
  readonly grace_secs?: number;
};

export type Token = {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  readonly scopes: readonly string[];
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
};

export type Tokens = {
  readonly items: readonly Token[];
  readonly next_page_token: string;
};

export type TrySecret = {
  readonly kind: string;
  readonly members: Readonly<Record<string, string>>;
  readonly check?: string;
  /** not used */
  readonly name?: string;
};

export type Upload = {
  readonly id: string;
  readonly name: string;
  /** markdown */
  readonly description: string;
  /** of its board; empty if the board was deleted */
  readonly url: string;
  readonly board: string;
  readonly workspace: string;
  readonly owner: string;
  readonly visibility: string;
  /** "files", or "points" if the hub wrote the files */
  readonly form: string;
  readonly created: string;
  readonly updated: string;
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
  /** a client sends now */
  readonly sending: boolean;
  /** something could not be removed: delete it again */
  readonly deleting: boolean;
  /** which the bucket does not have yet; they are on the hub's disk */
  readonly pending_files: number;
  /** what the bucket refuses now; told to the owner and to admins */
  readonly store_problem: string;
};

/** Members that are absent stay as they are. */
export type UploadChanges = {
  readonly name?: string | null;
  readonly description?: string | null;
};

/** What may still be sent; null: no limit. `scope` is the one that allows the fewest bytes. */
export type UploadLimits = {
  readonly left_bytes: number | null;
  readonly left_files: number | null;
  readonly scope: string;
  readonly part_bytes: number;
  readonly request_bytes: number;
  readonly request_files: number;
  readonly name_characters: number;
  readonly description_characters: number;
};

/** Newest first. */
export type UploadList = {
  readonly items: readonly Upload[];
};

export type UploadListQuery = {
  readonly workspace?: string;
  /** a user's name */
  readonly owner?: string;
};

export type UploadSession = {
  readonly session: string;
  readonly upload: Upload;
  readonly limits: UploadLimits;
};

/** All 0 if the board has no process. */
export type Usage = {
  readonly memory_bytes: number;
  readonly cpu_secs: number;
  /** null: not known */
  readonly disk_bytes: number | null;
  /** "page", "request", or null */
  readonly last_used_by: string | null;
};

export type UseLink = {
  readonly link: string;
  readonly password: string;
  /** of the first admin */
  readonly name?: string;
};

export type Used = {
  /** null: none */
  readonly limit: number | null;
  readonly used: number;
};

export type User = {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
  readonly admin: boolean;
  readonly created: string;
  readonly last_seen: string | null;
  readonly enabled: boolean;
  readonly has_password: boolean;
  /** active ones */
  readonly boards: number;
  readonly boards_limit: number | "default" | null;
};

export type Users = {
  readonly items: readonly User[];
  readonly next_page_token: string;
};

export type UsersQuery = {
  readonly q?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export type Visibility = "private" | "workspace" | "link" | "public";

export type WaitQuery = {
  /** seconds, at most LONGEST_WAIT_SECS; until the board is settled */
  readonly wait?: number;
  /** to wait for; by default the newest */
  readonly generation?: number | null;
};

export type Whose = {
  readonly user?: string;
};

export type Workspace = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly personal: boolean;
  /** of the client; null: an admin of the hub who is no member */
  readonly role: Role | null;
  readonly members: number;
  readonly boards: number;
  readonly created: string;
};

export type WorkspaceDetail = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly personal: boolean;
  /** of the client; null: an admin of the hub who is no member */
  readonly role: Role | null;
  readonly members: number;
  readonly boards: number;
  readonly created: string;
  /** seconds; 0: never, null: that of the hub */
  readonly idle_after: number | null;
  readonly reclaim_after: number | null;
  readonly max_runtime: number | null;
  readonly effective: Policy;
  readonly boards_limit: number | "default" | null;
  readonly boards_active: number;
  /** what the client may do here */
  readonly may: readonly string[];
};

export type WorkspaceUsed = {
  /** null: none */
  readonly limit: number | null;
  readonly used: number;
  readonly id: string;
};

export type Workspaces = {
  readonly items: readonly Workspace[];
  readonly next_page_token: string;
};

export type WorkspacesQuery = {
  /** only those of which the client is a member; admins of the hub see all */
  readonly mine?: boolean;
  /** words that all occur in id or name */
  readonly q?: string;
  readonly limit?: number;
  readonly page_token?: string;
};
