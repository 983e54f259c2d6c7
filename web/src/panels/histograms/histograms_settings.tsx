// Settings of histograms: of the histograms page, and of the time series page, which has the mode, too.

import type { JSX } from "preact";
import { withoutTimes } from "../../cards/spread_card";
import { HISTOGRAM_BINS, HISTOGRAM_MODES } from "../../state/members/histograms";
import { TIME_AXES } from "../../state/members/shared";
import * as histogramsWords from "../../state/texts/histograms";
import { changeView, spoken, view } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { Select } from "../../widgets/select";

export function HistogramsSettings(): JSX.Element {
  const words = spoken(histogramsWords);
  return (
    <>
      <Select
        label={words.mode}
        value={view.value.histogramsMode}
        options={HISTOGRAM_MODES.map((value) => ({ value, label: words.modes[value] }))}
        testId="pane-mode"
        onChange={(mode) => changeView({ histogramsMode: mode })}
      />
      <HistogramsOptions />
    </>
  );
}

export function HistogramsOptions(): JSX.Element {
  const words = spoken(histogramsWords);
  const { histogramsMode, histogramsX, histogramsBins, histogramsLog } = view.value;
  return (
    <>
      <Select
        label={words.time}
        value={histogramsX}
        disabled={histogramsMode === "overlay"}
        options={TIME_AXES.map((value) => ({ value, label: words.times[value] }))}
        testId="histograms-x"
        onChange={(axis) => changeView({ histogramsX: axis, histogramsZoom: withoutTimes("histograms") })}
      />
      <Select
        label={words.bins}
        value={histogramsBins}
        options={HISTOGRAM_BINS.map((value) => ({ value, label: words.binKinds[value] }))}
        testId="histograms-bins"
        onChange={(bins) => changeView({ histogramsBins: bins })}
      />
      <Checkbox
        label={words.log}
        title={words.logHint}
        checked={histogramsLog}
        testId="histograms-log"
        onChange={(on) => changeView({ histogramsLog: on })}
      />
    </>
  );
}
