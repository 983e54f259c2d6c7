// The menu button at the end of a run's row, in the list and in the table. Keyboard users reach it with the arrow keys
// of the row.

import type { JSX } from "preact";
import { shownName } from "../../state/annotations";
import { texts } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { openDialog } from "./open_dialogs";

export function RunMenuButton({ run }: { readonly run: string }): JSX.Element {
  const label = texts.value.runs.menuOf(shownName(run));
  return (
    <button
      type="button"
      class="run-row__menu"
      tabIndex={-1}
      title={label}
      aria-label={label}
      aria-haspopup="menu"
      onClick={(event) => {
        openDialog.value = { kind: "menu", run, anchor: event.currentTarget };
      }}
    >
      <Icon name="menu" />
    </button>
  );
}
