// A checkbox with its label. Indeterminate: only some of its items are ticked.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./fields.css";

type Properties = {
  readonly label: string;
  readonly checked: boolean;
  readonly indeterminate?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
  /** The label is only for screen readers, as in a table. */
  readonly bare?: boolean | undefined;
  readonly testId?: string | undefined;
  readonly onChange: (checked: boolean) => void;
};

export function Checkbox(properties: Properties): JSX.Element {
  const { label, checked, indeterminate = false, disabled = false, title, bare = false, testId, onChange } = properties;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <label class={disabled ? "checkbox checkbox--disabled" : "checkbox"} title={title}>
      <input
        ref={box}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        data-testid={testId}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span class={bare ? "aside-text" : "checkbox__label"}>{label}</span>
    </label>
  );
}
