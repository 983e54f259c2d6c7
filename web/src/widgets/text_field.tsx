// A single-line text field with its label, and an error message, if any.

import type { JSX } from "preact";
import { useId } from "preact/hooks";
import "./fields.css";

type Properties = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onEnter?: ((value: string) => void) | undefined;
  readonly invalid?: boolean | undefined;
  /** Below the field: help text or error message. */
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly bare?: boolean | undefined;
  readonly autoFocus?: boolean | undefined;
  readonly testId?: string | undefined;
};

export function TextField(properties: Properties): JSX.Element {
  const {
    label,
    value,
    onInput,
    onEnter,
    invalid = false,
    hint,
    placeholder,
    bare = false,
    autoFocus,
    testId,
  } = properties;
  const hintId = useId();
  return (
    <div class="field">
      <label class="field">
        <span class={bare ? "aside-text" : "field__label"}>{label}</span>
        <input
          class="field__input"
          type="text"
          value={value}
          placeholder={placeholder}
          spellcheck={false}
          autocomplete="off"
          // biome-ignore lint/a11y/noAutofocus: only asked for in dialogs that open for this field
          autoFocus={autoFocus}
          aria-invalid={invalid}
          aria-describedby={hint === undefined ? undefined : hintId}
          data-testid={testId}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            // with an input method (Chinese, Japanese) this Enter only completes a word
            if (event.key !== "Enter" || event.isComposing || onEnter === undefined) return;
            // or Enter would also press the button that gets the focus when the dialog closes
            event.preventDefault();
            onEnter(event.currentTarget.value);
          }}
        />
      </label>
      {hint !== undefined && (
        <span id={hintId} class={invalid ? "field__hint field__hint--bad" : "field__hint"}>
          {hint}
        </span>
      )}
    </div>
  );
}
