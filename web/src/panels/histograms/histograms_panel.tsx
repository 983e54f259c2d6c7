// The histograms page: one card per tag and run with all of its steps: offset, overlaid, or as colors.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followColors } from "../../cards/chart_colors";
import { type CardsOfKind, type KindCardProps, KindPage } from "../../cards/kind_page";
import { SpreadCard } from "../../cards/spread_card";
import { spreadMenu } from "../../cards/spread_downloads";
import * as histogramsWords from "../../state/texts/histograms";
import { member, spoken } from "../../state/view";
import { HistogramTip } from "./histogram_tip";
import { HistogramsOptions, HistogramsSettings } from "./histograms_settings";
import { HistogramsToolbar } from "./histograms_toolbar";

const mode = member("histogramsMode");
const x = member("histogramsX");
const bins = member("histogramsBins");
const log = member("histogramsLog");

/** Histogram cards for the time series page. */
export function histogramCards(): CardsOfKind {
  return {
    kind: "histograms",
    title: () => spoken(histogramsWords).title,
    card: HistogramCard,
    menu: (props) => spreadMenu("histograms", props),
    settings: HistogramsSettings,
  };
}

export function HistogramsPanel(): JSX.Element {
  useEffect(followColors, []);
  return (
    <KindPage
      kind="histograms"
      words={spoken(histogramsWords)}
      toolbar={<HistogramsToolbar />}
      options={<HistogramsOptions />}
      card={HistogramCard}
      menu={(props) => spreadMenu("histograms", props)}
    />
  );
}

function HistogramCard(props: KindCardProps): JSX.Element {
  return (
    <SpreadCard
      of={props}
      kind="histograms"
      look={mode.value}
      axis={x.value}
      bins={bins.value}
      logCounts={log.value}
      tip={HistogramTip}
    />
  );
}
