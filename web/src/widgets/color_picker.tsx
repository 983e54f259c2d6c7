// A color picker: swatches, a hex field, the system's color picker, and a reset to the default color. Usually shown in
// a Popover.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Button } from "./button";
import "./color_picker.css";
import "./fields.css";
import { words } from "./words";

type Properties = {
  readonly label: string;
  /** "#rrggbb" */
  readonly value: string;
  readonly swatches: readonly string[];
  readonly onChange: (color: string) => void;
  /** Undefined: there is no default to reset to. */
  readonly onReset?: (() => void) | undefined;
};

export function ColorPicker({ label, value, swatches, onChange, onReset }: Properties): JSX.Element {
  const typed = useSignal<string | null>(null);
  const wrong = typed.value !== null && parseHex(typed.value) === null;
  return (
    <fieldset class="color-picker" aria-label={label}>
      <div class="color-picker__swatches">
        {swatches.map((color) => (
          <button
            key={color}
            type="button"
            class="color-picker__swatch"
            style={{ background: color }}
            title={color}
            aria-label={color}
            aria-pressed={color === value}
            onClick={() => onChange(color)}
          />
        ))}
      </div>
      <div class="color-picker__row">
        <input
          type="color"
          class="color-picker__system"
          aria-label={words.value.color}
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <input
          class="field__input color-picker__hex"
          type="text"
          aria-label="#rrggbb"
          aria-invalid={wrong}
          spellcheck={false}
          value={typed.value ?? value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            const color = parseHex(typed.value);
            if (color !== null) onChange(color);
          }}
          onBlur={() => {
            typed.value = null;
          }}
        />
        {onReset !== undefined && (
          <Button label={words.value.reset} icon="reset" kind="quiet" title={words.value.reset} onClick={onReset} />
        )}
      </div>
    </fieldset>
  );
}

/** "#abc", "abc", "#aabbcc" → "#aabbcc"; null for anything else. */
export function parseHex(text: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return digits.length === 6 ? `#${digits}` : `#${[...digits].map((digit) => digit + digit).join("")}`;
}
