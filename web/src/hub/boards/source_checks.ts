// Looks at sources while the user types: after a short pause the hub is asked what it finds there. Answers are kept, so
// that going back to an address shows its result immediately.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { checkSources } from "../api/boards";
import type { Found, Source } from "../api/types";

export type Check =
  | { readonly state: "none" | "waiting" }
  | { readonly state: "answered"; readonly found: Found }
  | { readonly state: "failed"; readonly error: unknown };

const PAUSE_MS = 350;

/** Nothing is asked about a text that is only a scheme yet. */
function worthChecking(uri: string): boolean {
  return uri.length > 1 && !/^[a-z0-9+.-]*:?\/{0,2}$/i.test(uri);
}

export type SourceChecks = { readonly of: (source: Source) => Check };

class Checks {
  readonly answers: Signal<ReadonlyMap<string, Check>> = signal(new Map());
  #running = new AbortController();

  set(key: string, check: Check): void {
    this.answers.value = new Map([...this.answers.peek(), [key, check]]);
  }

  async ask(workspace: string, sources: readonly Source[]): Promise<void> {
    this.#running.abort();
    const run = new AbortController();
    this.#running = run;
    for (const [key, check] of this.answers.peek()) if (check.state === "waiting") this.set(key, { state: "none" });
    const missing = sources.filter((source) => {
      const known = this.answers.peek().get(keyOf(workspace, source))?.state;
      return known !== "answered";
    });
    if (missing.length === 0) return;
    for (const source of missing) this.set(keyOf(workspace, source), { state: "waiting" });
    try {
      const { items } = await checkSources(workspace, missing, run.signal);
      for (const [at, source] of missing.entries()) {
        const found = items[at];
        this.set(keyOf(workspace, source), found === undefined ? { state: "none" } : { state: "answered", found });
      }
    } catch (error) {
      if (run.signal.aborted) return;
      for (const source of missing) this.set(keyOf(workspace, source), { state: "failed", error });
    }
  }

  stop(): void {
    this.#running.abort();
  }
}

function keyOf(workspace: string, { uri, secret }: Source): string {
  return JSON.stringify([workspace, uri, secret]);
}

export function useSourceChecks(workspace: string, sources: readonly Source[]): SourceChecks {
  const checks = useMemo(() => new Checks(), []);
  const worth = sources
    .map(({ uri, secret }) => ({ uri: uri.trim(), prefix: "", secret }))
    .filter(({ uri }) => worthChecking(uri));
  const text = JSON.stringify([workspace, worth]);
  useEffect(() => {
    const timer = setTimeout(() => void checks.ask(workspace, worth), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => () => checks.stop(), [checks]);
  const answers: ReadonlySignal<ReadonlyMap<string, Check>> = checks.answers;
  return {
    of: (source) => {
      const trimmed = { ...source, uri: source.uri.trim() };
      if (!worthChecking(trimmed.uri)) return { state: "none" };
      return answers.value.get(keyOf(workspace, trimmed)) ?? { state: "waiting" };
    },
  };
}
