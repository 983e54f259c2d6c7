// A row of buttons of which one is pressed.

import type { JSX } from "preact";
import { Button } from "./button";
import "./choice.css";

type Properties<K extends string> = {
  /** Name of the choice, for screen readers. */
  readonly label: string;
  readonly value: K;
  readonly options: readonly { readonly value: K; readonly label: string; readonly title?: string | undefined }[];
  readonly onChoose: (value: K) => void;
  /** Prefix of the test id of each button: "histograms" makes "histograms-overlay". */
  readonly testId: string;
};

export function Choice<K extends string>({ label, value, options, onChoose, testId }: Properties<K>): JSX.Element {
  return (
    <fieldset class="choice" aria-label={label}>
      {options.map((option) => (
        <Button
          key={option.value}
          label={option.label}
          title={option.title ?? option.label}
          pressed={option.value === value}
          testId={`${testId}-${option.value}`}
          onClick={() => onChoose(option.value)}
        />
      ))}
    </fieldset>
  );
}
