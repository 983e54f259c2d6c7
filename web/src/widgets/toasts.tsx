// Short messages at the bottom edge. Screen readers read them when they appear, errors immediately.

import type { JSX } from "preact";
import { Button } from "./button";
import { Icon } from "./icons";
import "./toasts.css";
import { words } from "./words";

export type ToastShown = {
  readonly id: number;
  readonly kind: "news" | "error";
  readonly text: string;
  readonly action: { readonly label: string; readonly run: () => void } | null;
};

type Properties = {
  readonly label: string;
  readonly toasts: readonly ToastShown[];
  readonly onDismiss: (id: number) => void;
};

export function Toasts({ label, toasts, onDismiss }: Properties): JSX.Element {
  return (
    <section class="toasts" aria-label={label} aria-live="polite">
      {toasts.map(({ id, kind, text, action }) => (
        <div key={id} class={`toast toast--${kind}`} role={kind === "error" ? "alert" : "status"}>
          {kind === "error" && <Icon name="warning" />}
          <span class="toast__text">{text}</span>
          {action !== null && (
            <Button
              label={action.label}
              title={action.label}
              kind="quiet"
              onClick={() => {
                action.run();
                onDismiss(id);
              }}
            />
          )}
          <Button icon="close" kind="quiet" title={words.value.close} onClick={() => onDismiss(id)} />
        </div>
      ))}
    </section>
  );
}
