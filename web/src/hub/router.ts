// Addresses of the hub's page, after #: `#/boards`, `#/boards/<id>?tab=events`. The address is the only place that says
// which page is shown, so links, reloads and the back button work everywhere.

import { signal } from "@preact/signals";

export type Query = Readonly<Record<string, string>>;

export type Address = {
  /** ["boards", "abc"] for `#/boards/abc` */
  readonly path: readonly string[];
  readonly query: Query;
};

const FIRST: readonly string[] = ["boards"];

export function parseAddress(fragment: string): Address {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split(/\?(.*)/s);
  const parts = path.split("/").filter((part) => part !== "");
  return {
    path: parts.length === 0 ? FIRST : parts.map(decoded),
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** A percent sign that encodes nothing stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns `#/boards/abc?tab=events` for links; empty members of the query are not written. */
export function link(path: readonly string[], query: Query = {}): string {
  const members = Object.entries(query).filter(([, value]) => value !== "");
  const text = new URLSearchParams(members).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

export const address = signal<Address>(parseAddress(globalThis.location?.hash ?? ""));

/** `replace`: without an entry in the browser's history. */
export function go(path: readonly string[], query: Query = {}, replace = false): void {
  const wanted = link(path, query);
  if (wanted === location.hash) return;
  if (replace) history.replaceState(null, "", wanted);
  else history.pushState(null, "", wanted);
  address.value = parseAddress(wanted);
}

/** Changes members of the query of this page; an empty text removes one. */
export function changeQuery(change: Query): void {
  const { path, query } = address.peek();
  go(path, { ...query, ...change }, true);
}

export function bindRouterToAddress(): void {
  const follow = (): void => {
    address.value = parseAddress(location.hash);
  };
  follow();
  window.addEventListener("hashchange", follow);
  window.addEventListener("popstate", follow);
}

// ---- signing in and coming back

const PUBLIC: ReadonlySet<string> = new Set(["sign-in", "link"]);

/** Pages that need no account. */
export function isPublic({ path }: Address): boolean {
  return PUBLIC.has(path[0] ?? "");
}

/** Shows the sign-in page, which returns to the current page afterwards. */
export function askToSignIn(): void {
  if (isPublic(address.peek())) return;
  const { path, query } = address.peek();
  go(["sign-in"], { next: link(path, query) }, true);
}

/** Only addresses of this hub, never of another host: `#/…`, or a path such as `/boards/<id>/`. */
export function isOwnAddress(next: string): boolean {
  return next.startsWith("#/") || /^\/(?![/\\])[^\\\n\r\t]*$/.test(next);
}

/** Goes where the user wanted to go before signing in: `next` of the address, if it is an address of this hub. */
export function followNext(): void {
  const { next = "" } = address.peek().query;
  if (next.startsWith("/") && isOwnAddress(next)) {
    location.assign(next);
    return;
  }
  const { path, query } = parseAddress(isOwnAddress(next) ? next : "");
  go(path, query, true);
}
