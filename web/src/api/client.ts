// The only fetch() and the only EventSource. Addresses are relative to the page, so any path prefix works.

import { type Board, type Kind, parseBoard, parseReason, parseRuns, parseTags, type Run } from "./shapes";

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

export async function fetchRuns(): Promise<readonly Run[]> {
  return parseRuns(await getJson("api/runs"));
}

export async function fetchTags(): Promise<readonly Kind[]> {
  return parseTags(await getJson("api/tags"));
}

export type Listener = {
  readonly onChange: () => void;
  readonly onConnection: (open: boolean) => void;
};

// A browser gives up for good when the stream answers with an error, as a proxy does while the server restarts.
const REOPEN_DELAY_MS = 3000;

/** Listen for "something changed" for as long as the page is open. */
export function listen(listener: Listener): void {
  const source = new EventSource("api/events");
  source.addEventListener("change", listener.onChange);
  source.onopen = () => {
    listener.onConnection(true);
    // what changed while the line was down was not told
    listener.onChange();
  };
  source.onerror = () => {
    listener.onConnection(false);
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(listener), REOPEN_DELAY_MS);
  };
}
