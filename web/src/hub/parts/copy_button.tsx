// A button that copies a text and says so for a moment.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { copyText } from "../../widgets/clipboard";
import { spoken } from "../preferences";
import * as area from "../texts/shell";

const COPIED_SHOWS_MS = 2000;

type Properties = {
  readonly text: () => string;
  /** The label; without one the button has only an icon. */
  readonly label?: string;
  readonly title?: string;
  readonly kind?: "plain" | "quiet" | "primary";
  readonly testId?: string;
};

export function CopyButton({ text, label, title, kind = "quiet", testId }: Properties): JSX.Element {
  const words = spoken(area);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_SHOWS_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const done = await copyText(text());
    setCopied(done);
    if (!done) tell(words.notCopied, { kind: "error" });
  };
  return (
    <Button
      icon={copied ? "check" : "copy"}
      label={label === undefined ? undefined : copied ? words.copied : label}
      title={title ?? label ?? words.copy}
      kind={kind}
      testId={testId}
      onClick={() => void copy()}
    />
  );
}
