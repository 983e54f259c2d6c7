// Requests to the hub's REST API, relative to the page. Errors are problem+json; each has a code, for which the page has
// a sentence in the user's language (texts/errors.ts). Only files of this folder call fetch() and EventSource.

import type { Me, Problem } from "./types";

const BASE = "api/v1";

/** The hub refused a request, or did not answer (`status` 0, code "HubUnreachable"). */
export class HubError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** In the hub's words; `sentenceOf` of explained.ts has the user's. */
    message: string,
    readonly hint = "",
    /** All members of the problem, such as `boards` of a full quota. */
    readonly problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export type Options = {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
};

// the token of this session that writes must carry, from /me
let csrf = "";
let signedOut: () => void = () => {};

/** Sets what happens when the hub answers 401. */
export function whenSignedOut(then: () => void): void {
  signedOut = then;
}

/** `path` without the base: "boards/abc:stop". Empty and missing members of a query are not sent. */
export function addressOf(path: string, query: Query = {}): string {
  const members = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== "" && value !== false,
  );
  const text = new URLSearchParams(members.map(([name, value]) => [name, String(value)])).toString();
  return `${BASE}/${path}${text === "" ? "" : `?${text}`}`;
}

/** One part of a path, such as an id. */
export function part(text: string): string {
  return encodeURIComponent(text);
}

async function send(method: string, path: string, options: Options): Promise<Response> {
  const { query, body, headers, signal } = options;
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "GET" ? {} : { "x-lightboard-csrf": csrf }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  let response: Response;
  try {
    response = await fetch(addressOf(path, query), init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new HubError(0, "HubUnreachable", "The hub cannot be reached.");
  }
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => null);
  const failure = failureOf(response.status, response.statusText, problem);
  if (failure.status === 401 && failure.code === "Unauthenticated") signedOut();
  throw failure;
}

/** A proxy in front of the hub answers with pages of its own: such an answer becomes an error with its status. */
export function failureOf(status: number, statusText: string, body: unknown): HubError {
  if (typeof body !== "object" || body === null || !("code" in body))
    return new HubError(status, status >= 500 ? "Unavailable" : "Refused", `${status} ${statusText}`.trim());
  const problem = body as Problem;
  const text = problem.message || problem.title || `${status} ${statusText}`;
  return new HubError(status, problem.code, text, problem.hint ?? "", { ...problem });
}

async function answered<T>(method: string, path: string, options: Options): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

// answers that were requested before the part of the page that needs them exists, by address
const ahead = new Map<string, Promise<unknown>>();

/** Sends a request whose answer the first `get` of the same address takes. */
export function askAhead(path: string, query: Query = {}): void {
  const answer = answered("GET", path, { query });
  answer.catch(() => undefined);
  ahead.set(addressOf(path, query), answer);
}

export function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const address = addressOf(path, query);
  const early = ahead.get(address);
  ahead.delete(address);
  return early === undefined ? answered("GET", path, { query, signal }) : (early as Promise<T>);
}

export async function getText(path: string, query: Query = {}): Promise<string> {
  const response = await send("GET", path, { query, headers: { accept: "*/*" } });
  return response.text();
}

export async function getBytes(
  path: string,
  query: Query,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array; readonly headers: Headers }> {
  const response = await send("GET", path, { query, headers: { accept: "*/*" }, signal });
  return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
}

export function post<T>(path: string, body: unknown = {}, options: Omit<Options, "body"> = {}): Promise<T> {
  return answered("POST", path, { ...options, body });
}

export function patch<T>(path: string, body: unknown, options: Omit<Options, "body"> = {}): Promise<T> {
  return answered("PATCH", path, { ...options, body });
}

export function put<T>(path: string, body: unknown, options: Omit<Options, "body"> = {}): Promise<T> {
  return answered("PUT", path, { ...options, body });
}

export function remove<T = void>(path: string, options: Options = {}): Promise<T> {
  return answered("DELETE", path, options);
}

/** Answers of `me`, `session` and `links:use` have the token that later writes need. */
export function takeMe(answer: Me): Me {
  csrf = answer.csrf ?? "";
  return answer;
}

export async function fetchMe(): Promise<Me> {
  return takeMe(await get<Me>("me"));
}
