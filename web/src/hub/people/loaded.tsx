// Loads something for a page: while it loads, if it fails, if it does not exist for this user, and when it is there.
// After a change, `reload` fetches it again and shows the old value until then.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { HubError } from "../api/client";
import { sentenceOf } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/people";
import "./people.css";

type State<T> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "ready"; readonly value: T };

export type Load<T> = {
  readonly result: Signal<State<T>>;
  readonly reload: () => void;
  /** Shows a value that an answer of a change contained, without another request. */
  readonly set: (value: T) => void;
};

/** `key` says what is loaded: another key starts from the beginning. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Load<T> {
  const result = useSignal<State<T>>({ state: "loading" });
  const turn = useSignal(0);
  const shown = useRef(key);
  const { value: count } = turn;
  useEffect(() => {
    const abort = new AbortController();
    if (shown.current !== key) result.value = { state: "loading" };
    shown.current = key;
    load(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) result.value = { state: "ready", value };
      },
      (error: unknown) => {
        if (!abort.signal.aborted) result.value = { state: "failed", error };
      },
    );
    return () => abort.abort();
  }, [key, count]);
  return {
    result,
    reload: () => {
      turn.value += 1;
    },
    set: (value) => {
      result.value = { state: "ready", value };
    },
  };
}

type Properties<T> = {
  readonly load: Load<T>;
  readonly children: (value: T) => ComponentChildren;
  /** In place of the message for what does not exist or may not be seen. */
  readonly missing?: ComponentChildren;
};

export function Loaded<T>({ load, children, missing }: Properties<T>): JSX.Element {
  const now = load.result.value;
  if (now.state === "ready") return <>{children(now.value)}</>;
  if (now.state === "loading") return <LoadingPart />;
  const { error } = now;
  if (missing !== undefined && error instanceof HubError && (error.status === 404 || error.status === 403))
    return <>{missing}</>;
  return <FailedPart error={error} onRetry={load.reload} />;
}

/** Appears only if loading takes long. */
export function LoadingPart(): JSX.Element {
  return (
    <div class="people-loading" aria-busy="true">
      {spoken(area).loading}
    </div>
  );
}

function FailedPart({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): JSX.Element {
  const words = spoken(area);
  const { message, hint } = sentenceOf(error);
  return (
    <div class="people-empty" role="alert" data-notice="failed">
      <Icon name="warning" />
      <h3>{message}</h3>
      {hint !== "" && <p>{hint}</p>}
      <Button label={words.retry} title={words.retry} onClick={onRetry} />
    </div>
  );
}

type EmptyProperties = { readonly title: string; readonly children?: ComponentChildren };

/** In place of a list without rows: what would be here, and how to add it. */
export function Empty({ title, children }: EmptyProperties): JSX.Element {
  return (
    <div class="people-empty" data-notice="empty">
      <h3>{title}</h3>
      {children}
    </div>
  );
}
