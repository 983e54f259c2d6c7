// A slider, optionally with a field for the exact number (which may be outside of the slider's range).

import type { JSX } from "preact";
import "./fields.css";
import { NumberField } from "./number_field";

type Properties = {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly onInput: (value: number) => void;
  readonly testId?: string | undefined;
  readonly numberField?: { readonly max: number; readonly step: number } | undefined;
  readonly bare?: boolean | undefined;
  readonly disabled?: boolean | undefined;
};

export function Slider(properties: Properties): JSX.Element {
  const { label, value, min, max, step, onInput, testId, numberField, bare = false, disabled = false } = properties;
  return (
    <div class="slider">
      {!bare && <span class="field__label">{label}</span>}
      <div class="slider__row">
        <input
          class="slider__range"
          type="range"
          aria-label={label}
          min={min}
          max={max}
          step={step}
          value={value}
          disabled={disabled}
          data-testid={testId}
          onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        />
        {numberField !== undefined && (
          <NumberField
            label={label}
            bare
            value={value}
            min={min}
            max={numberField.max}
            step={numberField.step}
            disabled={disabled}
            testId={testId === undefined ? undefined : `${testId}-number`}
            onChange={(number) => number !== null && onInput(number)}
          />
        )}
      </div>
    </div>
  );
}
