// A number field with free typing; each valid number is applied immediately and clamped to the limits when the field
// loses focus.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import "./fields.css";
import { words } from "./words";

type Properties = {
  readonly label: string;
  /** Null: no value; shown as an empty field. */
  readonly value: number | null;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  /** Null only if `optional`. */
  readonly onChange: (value: number | null) => void;
  readonly optional?: boolean | undefined;
  readonly placeholder?: string | undefined;
  readonly bare?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly testId?: string | undefined;
};

export function NumberField(properties: Properties): JSX.Element {
  const { label, value, min = -Infinity, max = Infinity, step, onChange, optional = false, bare = false } = properties;
  const { placeholder, disabled = false, testId } = properties;
  const typed = useSignal<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = typed.value ?? (value === null ? "" : String(value));
  const wrong = typed.value !== null && read(typed.value, optional) === undefined;
  const take = (text: string): void => {
    typed.value = text;
    const number = read(text, optional);
    if (number === undefined || (number !== null && (number < min || number > max))) return;
    onChange(number);
  };
  const settle = (): void => {
    const number = typed.value === null ? undefined : read(typed.value, optional);
    typed.value = null;
    if (number !== undefined && number !== null) onChange(Math.min(max, Math.max(min, number)));
  };
  const nudge = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (event.key === "Enter") settle();
    if (by === 0 || step === undefined) return;
    event.preventDefault();
    // removes floating-point errors, such as 0.1 + 0.2
    const next = Number(((value ?? 0) + by * step * (event.shiftKey ? 10 : 1)).toPrecision(12));
    typed.value = null;
    onChange(Math.min(max, Math.max(min, next)));
  };
  return (
    <label class="field field--number">
      <span class={bare ? "aside-text" : "field__label"}>{label}</span>
      <input
        ref={input}
        class="field__input field__input--number"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        value={shown}
        placeholder={placeholder}
        disabled={disabled}
        aria-invalid={wrong}
        title={wrong ? words.value.notANumber : label}
        data-testid={testId}
        onInput={(event) => take(event.currentTarget.value)}
        onBlur={settle}
        onKeyDown={nudge}
      />
    </label>
  );
}

/** Returns undefined if it is not a number, null if it is empty and that is allowed. */
export function read(text: string, optional: boolean): number | null | undefined {
  const trimmed = text.trim().replace("，", ".").replace(/^−/, "-");
  if (trimmed === "") return optional ? null : undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}
