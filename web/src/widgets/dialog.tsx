// A modal dialog in the center of the page. The browser's <dialog> keeps the focus inside and restores it.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button";
import "./dialog.css";
import { words } from "./words";

type Properties = {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at the bottom. */
  readonly actions?: ComponentChildren;
  readonly wide?: boolean;
  /** A click outside does not close it: it shows something that is not shown again, or has fields to fill in. */
  readonly lasting?: boolean;
  readonly testId?: string | undefined;
};

export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  lasting = false,
  testId,
}: Properties): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (dialog === null) return;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Esc does the same
    <dialog
      ref={box}
      class={wide ? "dialog dialog--wide" : "dialog"}
      aria-label={title}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === box.current && !lasting) onClose();
      }}
    >
      <div class="dialog__frame">
        <header class="dialog__header">
          <h2>{title}</h2>
          <Button icon="close" kind="quiet" title={words.value.close} onClick={onClose} />
        </header>
        <div class="dialog__body">{children}</div>
        {actions !== undefined && <footer class="dialog__actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
