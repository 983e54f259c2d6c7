// Toolbar of all histograms: mode, time axis, bins, and scale of counts.

import type { JSX } from "preact";
import { anyZoom, dropZooms, withoutTimes } from "../../cards/spread_card";
import { HISTOGRAM_BINS, HISTOGRAM_MODES } from "../../state/members/histograms";
import { TIME_AXES } from "../../state/members/shared";
import * as histogramsWords from "../../state/texts/histograms";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Choice } from "../../widgets/choice";
import { Select } from "../../widgets/select";

export function HistogramsToolbar(): JSX.Element {
  const words = spoken(histogramsWords);
  const { histogramsMode, histogramsX, histogramsBins, histogramsLog } = view.value;
  return (
    <>
      <Choice
        label={words.mode}
        value={histogramsMode}
        options={HISTOGRAM_MODES.map((mode) => ({
          value: mode,
          label: words.modes[mode],
          title: words.modeHints[mode],
        }))}
        testId="histograms"
        onChoose={(mode) => changeView({ histogramsMode: mode })}
      />
      <Select
        label={words.time}
        bare
        value={histogramsX}
        disabled={histogramsMode === "overlay"}
        options={TIME_AXES.map((value) => ({ value, label: words.times[value] }))}
        testId="histograms-x"
        onChange={(axis) => changeView({ histogramsX: axis, histogramsZoom: withoutTimes("histograms") })}
      />
      <span title={words.binsHint}>
        <Select
          label={words.bins}
          bare
          value={histogramsBins}
          options={HISTOGRAM_BINS.map((value) => ({ value, label: words.binKinds[value] }))}
          testId="histograms-bins"
          onChange={(bins) => changeView({ histogramsBins: bins })}
        />
      </span>
      <Button
        label={words.log}
        title={words.logHint}
        pressed={histogramsLog}
        testId="histograms-log"
        onClick={() => changeView({ histogramsLog: !histogramsLog })}
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
