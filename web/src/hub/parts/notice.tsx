// A message in place of a page: loading, not found, an error with "Try again", or nothing to show yet.

import type { ComponentChildren, JSX } from "preact";
import { Button } from "../../widgets/button";
import { Icon, type IconName } from "../../widgets/icons";
import { sentenceOf } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/shell";
import { Marked } from "./marked";
import "./notice.css";

type Properties = {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: "plain" | "bad";
  /** For tests: which message it is. */
  readonly state: string;
  readonly children?: ComponentChildren;
};

export function Notice({ title, icon, tone = "plain", state, children }: Properties): JSX.Element {
  return (
    <main class={`hub-notice hub-notice--${tone}`} data-notice={state}>
      <div class="hub-notice__body" role={tone === "bad" ? "alert" : undefined}>
        {icon !== undefined && (
          <div class="hub-notice__icon">
            <Icon name={icon} />
          </div>
        )}
        <h2>{title}</h2>
        {children}
      </div>
    </main>
  );
}

/** An error that was thrown, with a button that tries again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): JSX.Element {
  const words = spoken(area);
  const { message, hint } = sentenceOf(error);
  return (
    <Notice title={words.failed} icon="warning" tone="bad" state="failed">
      <p>
        <Marked text={message} />
      </p>
      {hint !== "" && (
        <p class="hub-notice__hint">
          <Marked text={hint} />
        </p>
      )}
      <div class="hub-notice__actions">
        <Button label={words.retry} title={words.retry} kind="primary" onClick={onRetry} />
      </div>
    </Notice>
  );
}

/** Appears only if loading takes long. */
export function Loading(): JSX.Element {
  return (
    <main class="hub-loading" aria-busy="true">
      <span class="hub-loading__word">{spoken(area).loading}</span>
    </main>
  );
}
