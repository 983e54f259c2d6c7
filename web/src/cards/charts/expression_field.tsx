// A field for a metric expression. The server checks it while the user types.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { type CheckedExpression, checkExpression } from "../../state/expressions";
import { texts } from "../../state/view";
import { TextField } from "../../widgets/text_field";

type Properties = {
  /** Called with the expression as a tag while the text is valid, else with null. */
  readonly onValid: (tag: string | null) => void;
  /** Called when the user presses Enter. */
  readonly onAdd: (tag: string) => void;
};

export function ExpressionField({ onValid, onAdd }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const text = useSignal("");
  const checked = useSignal<CheckedExpression>({ state: "empty" });
  useEffect(() => checkExpression(text.value, set), [text.value]);
  function set(result: CheckedExpression): void {
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

function hintOf(checked: CheckedExpression): string {
  const words = texts.value.timeseries;
  if (checked.state === "valid") return words.expressionRuns(checked.runs);
  if (checked.state === "unfinished") return words.unfinishedExpression;
  return checked.state === "wrong" ? checked.message : words.expressionHint;
}
