// Form for custom axes: searches define the points at the left and right, top and bottom.

import type { JSX } from "preact";
import type { ProjectorAxes } from "../../state/members/projector";
import { columnNames, labelColumn } from "../../state/projector";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";

const SIDES = ["left", "right", "up", "down"] as const;

export function CustomForm(): JSX.Element {
  const words = spoken(projectorWords);
  const columns = columnNames.value;
  const axes = axesNow();
  const empty = SIDES.every((side) => axes[side] === "");
  return (
    <>
      <div class="projector-pane__row">
        <span aria-hidden="true">{words.axesBy}</span>
        <Select
          label={words.axesBy}
          bare
          value={axes.by}
          options={columns.map((name) => ({ value: name, label: name }))}
          testId="projector-axes-by"
          onChange={(name) => changeView({ projectorAxes: { ...axesNow(), by: name } })}
        />
      </div>
      <div class="projector-pane__axes">
        {SIDES.map((side) => (
          <TextField
            key={side}
            label={words[side]}
            value={axes[side]}
            testId={`projector-${side}`}
            onInput={(text) => changeView({ projectorAxes: { ...axesNow(), [side]: text } })}
          />
        ))}
      </div>
      <p class="projector-pane__hint">{empty ? `${words.axesEmpty} ${words.axesHint}` : words.axesHint}</p>
    </>
  );
}

/** Reads the current axes: two fields may change before the next render. */
function axesNow(): ProjectorAxes {
  const chosen = view.value.projectorAxes;
  const usual = columnNames.value.includes(labelColumn.value) ? labelColumn.value : (columnNames.value[0] ?? "");
  const by = chosen !== null && columnNames.value.includes(chosen.by) ? chosen.by : usual;
  return { by, left: chosen?.left ?? "", right: chosen?.right ?? "", up: chosen?.up ?? "", down: chosen?.down ?? "" };
}
