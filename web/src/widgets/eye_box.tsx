// A checkbox in the form of an eye: an item is shown in charts or hidden. Boxes with a check mark select instead.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import "./eye_box.css";
import { Icon } from "./icons";

type Properties = {
  readonly shown: boolean;
  /** Only some of its items are shown. */
  readonly some?: boolean | undefined;
  readonly label: string;
  readonly title: string;
  /** Reached with the Tab key; false in rows that have the focus themselves. */
  readonly focusable?: boolean | undefined;
  readonly testId?: string | undefined;
  readonly onClick: (event: MouseEvent) => void;
  readonly onDblClick?: (() => void) | undefined;
};

export function EyeBox(properties: Properties): JSX.Element {
  const { shown, some = false, label, title, focusable = false, testId, onClick, onDblClick } = properties;
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current !== null) box.current.indeterminate = some && !shown;
  });
  return (
    <span class="eye-box">
      <input
        ref={box}
        type="checkbox"
        checked={shown}
        aria-label={label}
        title={title}
        tabIndex={focusable ? undefined : -1}
        data-testid={testId}
        onClick={onClick}
        onDblClick={onDblClick}
      />
      <Icon name={shown || some ? "eye" : "eye-off"} />
    </span>
  );
}
