// A select element with its label, in the style of the user's system.

import type { JSX } from "preact";
import "./fields.css";

export type Option<V extends string = string> = {
  readonly value: V;
  readonly label: string;
  readonly disabled?: boolean | undefined;
};

type Properties<V extends string> = {
  readonly label: string;
  readonly value: V;
  readonly options: readonly Option<V>[];
  readonly onChange: (value: V) => void;
  readonly disabled?: boolean | undefined;
  /** The label is only for screen readers. */
  readonly bare?: boolean | undefined;
  readonly testId?: string | undefined;
};

export function Select<V extends string>(properties: Properties<V>): JSX.Element {
  const { label, value, options, onChange, disabled = false, bare = false, testId } = properties;
  return (
    <label class="field">
      <span class={bare ? "aside-text" : "field__label"}>{label}</span>
      <select
        class="field__input field__input--select"
        disabled={disabled}
        data-testid={testId}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}
