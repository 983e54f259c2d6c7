// Dialog to choose the columns beside the names in the run list.

import type { JSX } from "preact";
import { changeView, texts, view } from "../../state/view";
import { Dialog } from "../../widgets/dialog";
import { ColumnChooser } from "./column_chooser";
import { closeDialog } from "./open_dialogs";

export function ColumnsDialog(): JSX.Element {
  return (
    <Dialog title={texts.value.runs.addColumn} onClose={closeDialog} testId="columns-dialog" wide>
      <ColumnChooser chosen={view.value.runColumns} onChange={(runColumns) => changeView({ runColumns })} />
    </Dialog>
  );
}
