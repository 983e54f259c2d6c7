// Toolbar of all histograms: mode, and back from zooms.

import type { JSX } from "preact";
import { anyZoom, dropZooms } from "../../cards/spread_card";
import { HISTOGRAM_MODES } from "../../state/members/histograms";
import * as histogramsWords from "../../state/texts/histograms";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Choice } from "../../widgets/choice";

export function HistogramsToolbar(): JSX.Element {
  const words = spoken(histogramsWords);
  return (
    <>
      <Choice
        label={words.mode}
        value={view.value.histogramsMode}
        options={HISTOGRAM_MODES.map((mode) => ({
          value: mode,
          label: words.modes[mode],
          title: words.modeHints[mode],
        }))}
        testId="histograms"
        onChoose={(mode) => changeView({ histogramsMode: mode })}
      />
      {anyZoom("histograms") && (
        <Button
          kind="quiet"
          icon="reset"
          title={words.resetZooms}
          testId="reset-zooms"
          onClick={() => dropZooms("histograms")}
        />
      )}
    </>
  );
}
