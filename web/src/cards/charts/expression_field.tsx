// A field for a metric expression. The server checks it while the user types.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { asProblem } from "../../state/board";
import { checkExpression } from "../../state/expressions";
import { texts } from "../../state/view";
import { TextField } from "../../widgets/text_field";

type Checked =
  | { readonly state: "empty" | "checking" }
  | { readonly state: "valid"; readonly tag: string; readonly runs: number }
  | { readonly state: "wrong"; readonly message: string };

const TYPING_MS = 200;

type Properties = {
  /** Called with the expression as a tag while the text is valid, else with null. */
  readonly onValid: (tag: string | null) => void;
  /** Called when the user presses Enter. */
  readonly onAdd: (tag: string) => void;
};

export function ExpressionField({ onValid, onAdd }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const text = useSignal("");
  const checked = useSignal<Checked>({ state: "empty" });
  useEffect(() => check(text.value, set), [text.value]);
  function set(result: Checked): void {
    checked.value = result;
    onValid(result.state === "valid" ? result.tag : null);
  }
  const { value } = checked;
  return (
    <TextField
      label={words.expression}
      value={text.value}
      placeholder="train/loss - val/loss"
      invalid={value.state === "wrong"}
      hint={hintOf(value)}
      testId="tags-expression"
      onInput={(typed) => {
        text.value = typed;
      }}
      onEnter={() => {
        if (value.state !== "valid") return;
        onAdd(value.tag);
        text.value = "";
      }}
    />
  );
}

function hintOf(checked: Checked): string {
  const words = texts.value.timeseries;
  if (checked.state === "valid") return words.expressionRuns(checked.runs);
  return checked.state === "wrong" ? checked.message : words.expressionHint;
}

/** Checks a text after a pause; returns a function that cancels it. */
function check(text: string, onResult: (result: Checked) => void): () => void {
  if (text.trim() === "") {
    onResult({ state: "empty" });
    return () => undefined;
  }
  onResult({ state: "checking" });
  const cancel = new AbortController();
  const timer = setTimeout(() => {
    checkExpression(text, cancel.signal).then(
      ({ tag, runs }) => onResult({ state: "valid", tag, runs }),
      (error: unknown) => {
        if (cancel.signal.aborted) return;
        const { message, hint } = asProblem(error);
        onResult({ state: "wrong", message: hint === "" ? message : `${message} · ${hint}` });
      },
    );
  }, TYPING_MS);
  return () => {
    clearTimeout(timer);
    cancel.abort();
  };
}
