// A full-page message: why there is nothing to show, and what to do.

import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import { copyText } from "../widgets/clipboard";
import { Icon, type IconName } from "../widgets/icons";
import "./notice.css";

type Properties = {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: "plain" | "bad";
  readonly state: string;
  readonly children?: ComponentChildren;
};

export function Notice({ title, icon, tone = "plain", state, children }: Properties): JSX.Element {
  return (
    <main class={`notice notice--${tone}`} data-notice={state}>
      <div class="notice__body" role={tone === "bad" ? "alert" : undefined}>
        {icon !== undefined && (
          <div class="notice__icon">
            <Icon name={icon} />
          </div>
        )}
        <h2>{title}</h2>
        {children}
      </div>
    </main>
  );
}

/** Renders parts between backticks as code. */
export function Marked({ text }: { readonly text: string }): JSX.Element {
  return <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part))}</>;
}

const COPIED_SHOWS_MS = 2000;

/** Code to copy. */
export function Snippet({ code }: { readonly code: string }): JSX.Element {
  const words = texts.value.shell.empty;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWS_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div class="snippet">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the arrows */}
      <pre tabIndex={0}>{code}</pre>
      <Button
        icon={copied ? "check" : "copy"}
        label={copied ? words.copied : words.copy}
        kind="quiet"
        title={words.copy}
        onClick={() => void copyText(code).then(setCopied)}
      />
    </div>
  );
}
