// Renders the open dialog about runs. List and table may both contain this component; only the first one renders.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../../state/view";
import { MenuList } from "../../widgets/menu";
import { ColorPopover } from "./color_popover";
import { ColumnsDialog } from "./columns_dialog";
import { ColorByDialog, GroupDialog } from "./group_dialog";
import { closeDialog, openDialog } from "./open_dialogs";
import { LabelsDialog, NoteDialog, RenameDialog } from "./remarks_dialogs";
import { menuOfRun } from "./run_menu";
import { TopDialog } from "./top_dialog";

const places = signal<readonly object[]>([]);

export function RunDialogs(): JSX.Element | null {
  const me = useRef({});
  useEffect(() => {
    const place = me.current;
    places.value = [...places.peek(), place];
    return () => {
      places.value = places.peek().filter((one) => one !== place);
    };
  }, []);
  return places.value[0] === me.current ? <OpenDialog /> : null;
}

function OpenDialog(): JSX.Element | null {
  const dialog = openDialog.value;
  if (dialog === null) return null;
  switch (dialog.kind) {
    case "menu":
      return (
        <MenuList
          key={dialog.run}
          label={texts.value.runs.menuOf(dialog.run)}
          anchor={dialog.anchor}
          items={menuOfRun(dialog.run, dialog.anchor)}
          onClose={closeDialog}
        />
      );
    case "color":
      return <ColorPopover key={dialog.run} run={dialog.run} anchor={dialog.anchor} />;
    case "rename":
      return <RenameDialog run={dialog.run} />;
    case "note":
      return <NoteDialog run={dialog.run} />;
    case "labels":
      return <LabelsDialog runs={dialog.runs} />;
    case "top":
      return <TopDialog />;
    case "colorBy":
      return <ColorByDialog />;
    case "group":
      return <GroupDialog />;
    case "columns":
      return <ColumnsDialog />;
  }
}
