// Buttons at the edge of the cloud: box selection, labels, zoom in and out, reset the camera.

import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";

type Properties = {
  readonly boxing: Signal<boolean>;
  readonly onZoom: (nearer: boolean) => void;
  readonly onReset: () => void;
  /** Text that says how to move and select. */
  readonly hint: string;
};

export function CanvasTools({ boxing, onZoom, onReset, hint }: Properties): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorLabels } = view.value;
  const keep = (event: Event): void => event.stopPropagation();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons are not the points below them
    <div class="points-view__tools" onPointerDown={keep} onPointerMove={keep} onDblClick={keep} onWheel={keep}>
      <Button
        kind="quiet"
        title={`${words.box}. ${words.boxHint}`}
        pressed={boxing.value}
        testId="projector-box"
        onClick={() => {
          boxing.value = !boxing.value;
        }}
      >
        <BoxDrawing />
      </Button>
      <Button
        kind="quiet"
        icon="tag"
        title={words.labelsHint}
        pressed={projectorLabels}
        testId="projector-labels"
        onClick={() => changeView({ projectorLabels: !projectorLabels })}
      />
      <hr />
      <Button kind="quiet" icon="plus" title={words.zoomIn} testId="projector-nearer" onClick={() => onZoom(true)} />
      <Button
        kind="quiet"
        icon="minus"
        title={words.zoomOut}
        testId="projector-farther"
        onClick={() => onZoom(false)}
      />
      <Button kind="quiet" icon="reset" title={words.reset} testId="projector-reset" onClick={onReset} />
      <hr />
      <span class="points-view__help" role="img" aria-label={`${words.help}: ${hint}`} title={hint}>
        <Icon name="help" />
      </span>
    </div>
  );
}

function BoxDrawing(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d="M2.5 5V2.5H5M8 2.5h0M11 2.5h2.5V5M13.5 8v0M13.5 11v2.5H11M8 13.5h0M5 13.5H2.5V11M2.5 8v0" />
    </svg>
  );
}
