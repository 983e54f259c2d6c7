// The only fetch() and the only EventSource. Addresses are relative to the page, so any path prefix works.

import { type Board, parseBoard, parseReason, parseRuns, parseTags, type Runs, type Tags } from "./shapes";

/** The server answered, but with an error. `status` says which. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(reason);
  }
}

async function getJson(address: string): Promise<unknown> {
  const response = await fetch(address, { headers: { accept: "application/json" } });
  if (response.ok) return response.json();
  const body: unknown = await response.json().catch(() => null);
  throw new ApiError(response.status, parseReason(body) ?? `${response.status} ${response.statusText}`);
}

export async function fetchBoard(): Promise<Board> {
  return parseBoard(await getJson("api/board"));
}

export async function fetchRuns(): Promise<Runs> {
  return parseRuns(await getJson("api/runs"));
}

export async function fetchTags(): Promise<Tags> {
  return parseTags(await getJson("api/tags"));
}

export type Listener = {
  readonly onChange: () => void;
  readonly onConnection: (open: boolean) => void;
};

// Unnamed events, and the names the server gives to those that mean "ask again".
const CHANGE_EVENTS = ["message", "change", "changed"] as const;

/** Listen for "something changed". The browser reconnects by itself; we are told when the line is up or down. */
export function listen(listener: Listener): () => void {
  const source = new EventSource("api/events");
  for (const name of CHANGE_EVENTS) source.addEventListener(name, listener.onChange);
  source.onopen = () => {
    listener.onConnection(true);
    // what changed while the line was down was not told
    listener.onChange();
  };
  source.onerror = () => listener.onConnection(false);
  return () => source.close();
}
