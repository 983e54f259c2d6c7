// The distributions page: percentiles of histograms as bands over time, one card per tag and run.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followColors } from "../../cards/chart_colors";
import { type KindCardProps, KindPage } from "../../cards/kind_page";
import { anyZoom, dropZooms, SpreadCard, withoutTimes } from "../../cards/spread_card";
import { spreadMenu } from "../../cards/spread_downloads";
import { TIME_AXES } from "../../state/members/shared";
import * as histogramsWords from "../../state/texts/histograms";
import { changeView, member, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import { PercentileTip } from "./percentile_tip";

const x = member("distributionsX");

export function DistributionsPanel(): JSX.Element {
  useEffect(followColors, []);
  return (
    <KindPage
      kind="distributions"
      from="histograms"
      words={{ title: spoken(histogramsWords).distributions }}
      toolbar={anyZoom("distributions") && <ResetZooms />}
      options={<Options />}
      card={DistributionCard}
      menu={(props) => spreadMenu("distributions", props)}
    />
  );
}

function ResetZooms(): JSX.Element {
  const words = spoken(histogramsWords);
  return (
    <Button
      kind="quiet"
      icon="reset"
      title={words.resetZooms}
      testId="reset-zooms"
      onClick={() => dropZooms("distributions")}
    />
  );
}

function Options(): JSX.Element {
  const words = spoken(histogramsWords);
  return (
    <Select
      label={words.time}
      value={view.value.distributionsX}
      options={TIME_AXES.map((value) => ({ value, label: words.times[value] }))}
      testId="distributions-x"
      onChange={(axis) => changeView({ distributionsX: axis, distributionsZoom: withoutTimes("distributions") })}
    />
  );
}

function DistributionCard(props: KindCardProps): JSX.Element {
  return (
    <SpreadCard
      of={props}
      kind="distributions"
      look="percentiles"
      axis={x.value}
      bins="even"
      logCounts={false}
      tip={PercentileTip}
    />
  );
}
