// Who is signed in, and what the hub allows. Loaded once, and again after signing in or out.

import { batch, computed, effect, signal } from "@preact/signals";
import { fetchMe, HubError, remove, whenSignedOut } from "./api/client";
import type { Me } from "./api/types";
import { address, askToSignIn, go, isPublic } from "./router";

export type Session =
  | { readonly state: "loading" }
  | { readonly state: "in"; readonly me: Me }
  | { readonly state: "out" }
  | { readonly state: "failed"; readonly error: unknown };

export const session = signal<Session>({ state: "loading" });

/** Null while nobody is signed in. */
export const me = computed<Me | null>(() => (session.value.state === "in" ? session.value.me : null));

export const isAdmin = computed(() => me.value?.user.admin === true);

/** Also called after a change of the own account. */
export async function loadSession(): Promise<void> {
  try {
    const answer = await fetchMe();
    // a visitor with a share link has no account
    session.value = (answer.user ?? null) === null ? { state: "out" } : { state: "in", me: answer };
  } catch (error) {
    session.value = error instanceof HubError && error.status === 401 ? { state: "out" } : { state: "failed", error };
  }
}

export async function signOut(): Promise<void> {
  await remove("session");
  batch(() => {
    session.value = { state: "out" };
    go(["sign-in"]);
  });
}

// the session expired or was revoked while the page was open
whenSignedOut(() => {
  if (session.peek().state === "loading") return;
  session.value = { state: "out" };
});

/** Asks to sign in at every page that needs an account, also at one that is opened later. */
export function bindSessionToAddress(): void {
  effect(() => {
    if (session.value.state === "out" && !isPublic(address.value)) askToSignIn();
  });
}
