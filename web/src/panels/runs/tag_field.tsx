// A field for the name of a metric, with suggestions from the board's tags.

import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { scalarTags } from "../../state/run_columns";
import { texts } from "../../state/view";

type Properties = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly onChoose?: ((tag: string) => void) | undefined;
};

// a list of all 100,000 tags would be useless
const MOST_OFFERED = 200;

export function TagField({ label, value, onInput, onChoose }: Properties): JSX.Element {
  const id = useId();
  const wanted = value.toLowerCase();
  const known = scalarTags.value.includes(value);
  const offered: string[] = [];
  for (const tag of scalarTags.value) {
    if (offered.length >= MOST_OFFERED) break;
    if (known || tag.toLowerCase().includes(wanted)) offered.push(tag);
  }
  return (
    <label class="field">
      <span class="field__label">{label}</span>
      <input
        class="field__input"
        type="text"
        list={id}
        value={value}
        spellcheck={false}
        autocomplete="off"
        placeholder={texts.value.runs.chooseMetric}
        aria-invalid={value !== "" && !known}
        data-testid="metric-field"
        onInput={(event) => {
          onInput(event.currentTarget.value);
          if (scalarTags.value.includes(event.currentTarget.value)) onChoose?.(event.currentTarget.value);
        }}
      />
      <datalist id={id}>
        {offered.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </label>
  );
}
