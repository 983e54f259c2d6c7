// A pane at the right of the page for settings and details; the page beside it stays usable.

import type { ComponentChildren, JSX } from "preact";
import { Button } from "./button";
import "./drawer.css";
import { words } from "./words";

type Properties = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly testId?: string | undefined;
};

export function Drawer({ title, onClose, children, testId }: Properties): JSX.Element {
  return (
    <aside
      class="drawer"
      aria-label={title}
      data-testid={testId}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header class="drawer__header">
        <h2>{title}</h2>
        <Button icon="close" kind="quiet" title={words.value.close} onClick={onClose} />
      </header>
      <div class="drawer__body">{children}</div>
    </aside>
  );
}
