// Text that is shown to be copied: a token, a link, lines for the shell.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { copyText } from "../../widgets/clipboard";
import { spoken } from "../preferences";
import * as area from "../texts/people";
import "./people.css";

type Properties = { readonly label: string; readonly text: string; readonly testId?: string };

export function Copyable({ label, text, testId }: Properties): JSX.Element {
  const words = spoken(area);
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    copied.value = await copyText(text);
    if (!copied.value) tell(words.copyFailed, { kind: "error" });
  };
  return (
    <div class="people-copy">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and its text is selected with the keyboard */}
      <pre tabIndex={0} title={label} data-testid={testId}>
        {text}
      </pre>
      <Button
        icon={copied.value ? "check" : "copy"}
        label={copied.value ? words.copied : words.copy}
        title={`${words.copy}: ${label}`}
        onClick={() => void copy()}
      />
    </div>
  );
}
