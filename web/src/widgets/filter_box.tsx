// A search box that says when its text is not the regular expression it was taken for.

import type { JSX } from "preact";

type Properties = {
  readonly label: string;
  readonly value: string;
  /** What is wrong with the value, if anything. */
  readonly remark: string | null;
  readonly onChange: (value: string) => void;
};

export function FilterBox({ label, value, remark, onChange }: Properties): JSX.Element {
  return (
    <input
      class={remark === null ? "filter" : "filter doubtful"}
      type="search"
      placeholder={label}
      aria-label={label}
      title={remark ?? label}
      value={value}
      spellcheck={false}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
