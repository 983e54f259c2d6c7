// The color of one run: in this link, or saved with the logs for all users.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { annotate, annotations, remarksOf, shownName } from "../../state/annotations";
import { swatches } from "../../state/run_colors";
import { colorOf } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { ColorPicker } from "../../widgets/color_picker";
import { type Anchor, Popover } from "../../widgets/popover";
import { closeDialog } from "./open_dialogs";

type Properties = { readonly run: string; readonly anchor: Anchor };

function withoutColor(run: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(view.value.colors).filter(([name]) => name !== run));
}

export function ColorPopover({ run, anchor }: Properties): JSX.Element {
  const t = texts.value.runs;
  const keep = useSignal(remarksOf(run).color !== undefined && view.value.colors[run] === undefined);
  const choose = (color: string): void => {
    if (!keep.value) {
      changeView({ colors: { ...view.value.colors, [run]: color } });
      return;
    }
    changeView({ colors: withoutColor(run) });
    void annotate(new Map([[run, { color }]]));
  };
  const reset = (): void => {
    changeView({ colors: withoutColor(run) });
    if (remarksOf(run).color !== undefined && annotations.value.writable)
      void annotate(new Map([[run, { color: null }]]));
  };
  const chosen = view.value.colors[run] !== undefined || remarksOf(run).color !== undefined;
  return (
    <Popover anchor={anchor} label={t.colorOf(shownName(run))} onClose={closeDialog}>
      <div class="color-popover" data-testid="color-popover">
        <ColorPicker
          label={t.colorOf(shownName(run))}
          value={colorOf.value(run)}
          swatches={swatches.value}
          onChange={choose}
          onReset={chosen ? reset : undefined}
        />
        <Checkbox
          label={t.keepColor}
          title={annotations.value.writable ? t.keepColorHint : t.notWritable}
          checked={keep.value}
          disabled={!annotations.value.writable}
          onChange={(on) => {
            keep.value = on;
          }}
        />
      </div>
    </Popover>
  );
}
