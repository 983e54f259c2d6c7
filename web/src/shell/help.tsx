// The sheet of keys and gestures, made from the table that the keys themselves come from.

import type { JSX } from "preact";
import { board } from "../state/board";
import { sheet } from "../state/layout";
import { texts } from "../state/view";
import { Dialog } from "../widgets/dialog";
import { SHORTCUTS } from "./actions";
import "./help.css";
import { keyLabel } from "./shortcuts";

const GROUPS = ["everywhere", "charts", "lists"] as const;

export function Help(): JSX.Element {
  const words = texts.value.shell.help;
  return (
    <Dialog
      title={words.title}
      wide
      testId="help"
      onClose={() => {
        sheet.value = null;
      }}
    >
      <div class="help">
        {GROUPS.map((group) => (
          <section key={group} class={`help__group help__group--${group}`}>
            <h3>{words.groups[group]}</h3>
            <dl>
              {SHORTCUTS.filter((shortcut) => shortcut.group === group).map((shortcut) => {
                const label = shortcut.label(words);
                return (
                  <div key={label} class="help__row">
                    <dt>{label}</dt>
                    <dd>
                      {shortcut.keys.map((keys) => (
                        <kbd key={keys}>{keyLabel(keys)}</kbd>
                      ))}
                    </dd>
                  </div>
                );
              })}
            </dl>
          </section>
        ))}
        {board.value !== null && <p class="help__version">{words.version(board.value.lightboard)}</p>}
      </div>
    </Dialog>
  );
}
