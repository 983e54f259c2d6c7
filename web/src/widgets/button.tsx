// A button with a label, an icon, or both. Without a label, screen readers read its title.

import type { ComponentChildren, JSX } from "preact";
import "./button.css";
import { Icon, type IconName } from "./icons";

export type ButtonKind = "plain" | "quiet" | "primary" | "danger";

export type ButtonProperties = {
  readonly label?: string | undefined;
  readonly icon?: IconName | undefined;
  readonly title: string;
  readonly onClick: (event: MouseEvent) => void;
  readonly kind?: ButtonKind | undefined;
  readonly pressed?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly testId?: string | undefined;
  readonly children?: ComponentChildren;
};

export function Button(properties: ButtonProperties): JSX.Element {
  const { label, icon, title, onClick, kind = "plain", pressed, disabled = false, testId, children } = properties;
  const wordless = label === undefined && children === undefined;
  return (
    <button
      type="button"
      class={`button button--${kind}${wordless ? " button--icon" : ""}`}
      title={title}
      aria-label={wordless ? title : undefined}
      aria-pressed={pressed}
      disabled={disabled}
      data-testid={testId}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label !== undefined && <span class="button__label">{label}</span>}
      {children}
    </button>
  );
}
