// Metric expressions, checked while the user types: by the server, unless the text cannot be complete yet.

import { ApiError, fetchExpression } from "../api/client";
import { asProblem, kinds } from "./board";
import { isUnfinishedMetric, metricEndsTooEarly } from "./unfinished";

export type CheckedExpression =
  | { readonly state: "empty" | "checking" | "unfinished" }
  | { readonly state: "valid"; readonly tag: string; readonly runs: number }
  | { readonly state: "wrong"; readonly message: string };

const TYPING_MS = 200;

/** Checks a text after a pause; returns a function that cancels it. */
export function checkExpression(text: string, onResult: (result: CheckedExpression) => void): () => void {
  if (text.trim() === "" || metricEndsTooEarly(text)) {
    onResult({ state: text.trim() === "" ? "empty" : "unfinished" });
    return () => undefined;
  }
  onResult({ state: "checking" });
  const cancel = new AbortController();
  const timer = setTimeout(() => {
    fetchExpression(text, { signal: cancel.signal }).then(
      ({ tag, runs }) => onResult({ state: "valid", tag, runs }),
      (error: unknown) => {
        if (!cancel.signal.aborted) onResult(mistakeIn(text, error));
      },
    );
  }, TYPING_MS);
  return () => {
    clearTimeout(timer);
    cancel.abort();
  };
}

function mistakeIn(text: string, error: unknown): CheckedExpression {
  const position = error instanceof ApiError ? error.position : null;
  if (isUnfinishedMetric(text, position, kinds.peek().scalars?.tag ?? [])) return { state: "unfinished" };
  const { message, hint } = asProblem(error);
  return { state: "wrong", message: hint === "" ? message : `${message} · ${hint}` };
}
