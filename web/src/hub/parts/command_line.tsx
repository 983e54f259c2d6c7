// A command to type in a terminal, with a button that copies it.

import type { JSX } from "preact";
import "./command_line.css";
import { CopyButton } from "./copy_button";

type Properties = { readonly command: string; readonly label?: string; readonly testId?: string };

export function CommandLine({ command, label, testId }: Properties): JSX.Element {
  return (
    <div class="command-line">
      {label !== undefined && <span class="command-line__label">{label}</span>}
      <div class="command-line__box">
        <code data-testid={testId}>{command}</code>
        <CopyButton text={() => command} />
      </div>
    </div>
  );
}
