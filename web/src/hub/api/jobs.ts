// Requests about jobs.

import { get, getBytes, part, patch, post, remove } from "./client";
import type { Board, Page, State } from "./types";

export type JobState = "Registered" | "Running" | "Stopping" | "Succeeded" | "Failed" | "Stopped" | "Lost";
export type JobReason =
  | ""
  | "ExitCode"
  | "Signal"
  | "OutOfMemory"
  | "NotStarted"
  | "StopRequested"
  | "HeartbeatLost"
  | "RunnerEnded";
export type JobAction = "read" | "logs" | "command" | "report" | "delete";

export type Job = {
  readonly id: string;
  readonly name: string;
  readonly workspace: string;
  readonly user: string;
  readonly state: JobState;
  readonly reason: JobReason;
  readonly message: string;
  readonly exit_code: number | null;
  readonly signal: string;
  readonly command: readonly string[];
  readonly directory: string;
  readonly host: string;
  readonly logdir: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string;
  readonly started: string | null;
  readonly ended: string | null;
  readonly last_report: string | null;
  readonly duration_secs: number | null;
  readonly stop_requested: string | null;
  readonly stop_by: string;
  readonly stop_grace_secs: number;
  readonly figures: Readonly<Record<string, number>>;
  readonly has_events: boolean;
  readonly board_mode: "own" | "label" | "none";
  readonly board_label: string;
  readonly board_status: "Waiting" | "Made" | "BoardSkipped" | "None";
  readonly board_message: string;
  readonly board: { readonly id: string; readonly name: string; readonly url: string; readonly state: State } | null;
  readonly log_bytes: number;
  readonly rerun: string;
  readonly may: readonly JobAction[];
};

export type JobGit = {
  readonly commit: string;
  readonly branch: string;
  readonly remote: string;
  readonly dirty: boolean;
  readonly diff: string;
  readonly diff_cut: boolean;
};

/** `environment` is null if the user may not see it. */
export type JobDetail = Job & {
  readonly environment: Readonly<Record<string, string>> | null;
  readonly git: JobGit | null;
};

export type JobsQuery = {
  readonly q?: string;
  /** Words of states, separated by commas. */
  readonly state?: string;
  readonly user?: string;
  readonly workspace?: string;
  /** "name=value", separated by commas. */
  readonly label?: string;
  readonly sort?: string;
  readonly limit?: number;
  readonly page_token?: string;
};

export function listJobs(query: JobsQuery, signal?: AbortSignal): Promise<Page<Job> & { readonly total: number }> {
  return get("jobs", query, signal);
}

export function fetchJob(id: string): Promise<JobDetail> {
  return get(`jobs/${part(id)}`);
}

export function changeJob(
  id: string,
  change: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> },
): Promise<JobDetail> {
  return patch(`jobs/${part(id)}`, change);
}

export function stopJob(id: string, graceSecs?: number): Promise<JobDetail> {
  return post(`jobs/${part(id)}:stop`, graceSecs === undefined ? {} : { grace_secs: graceSecs });
}

export function removeJob(id: string, board: "keep" | "remove"): Promise<void> {
  return remove(`jobs/${part(id)}`, { query: { board } });
}

/** Creates or starts the board of a job. */
export function makeJobBoard(id: string): Promise<Board> {
  return post(`jobs/${part(id)}:board`);
}

/** Creates or starts one board over all jobs with a label ("name=value"). */
export function makeLabelBoard(label: string, workspace: string): Promise<Board> {
  return post("jobs:board", { label, workspace });
}

// ---- what a job printed

export type LogPart = {
  readonly bytes: Uint8Array;
  /** Where to read next; after a gap it is further than the bytes are long. */
  readonly next: number;
  readonly size: number;
  /** Nothing comes any more. */
  readonly complete: boolean;
};

export type LogQuery = { readonly offset: number; readonly limit?: number; readonly wait?: number };

export async function fetchLog(id: string, query: LogQuery, signal: AbortSignal): Promise<LogPart> {
  const { bytes, headers } = await getBytes(`jobs/${part(id)}/log`, { ...query, offset: String(query.offset) }, signal);
  const number = (name: string): number => Number(headers.get(name) ?? 0);
  return {
    bytes,
    next: number("x-log-next"),
    size: number("x-log-size"),
    complete: headers.get("x-log-complete") === "true",
  };
}
