// Tooltip of a percentile card: step, time and all percentiles under the pointer, the highest first.

import type { JSX } from "preact";
import { formatNumber } from "../../base/numbers";
import { TipRow } from "../../cards/hover_tip";
import type { SpreadTip } from "../../cards/spread_card";
import { MomentRows } from "../../cards/spread_moment";
import * as histogramsWords from "../../state/texts/histograms";
import { spoken } from "../../state/view";

export function PercentileTip({ spread, pick, series }: SpreadTip): JSX.Element {
  const points = spread.kind === "percentiles" ? spread.basisPoints : [];
  const values = spread.kind === "percentiles" ? spread.values : new Float64Array(0);
  return (
    <>
      <MomentRows spread={spread} at={pick.at} series={series} />
      {points
        .map((point, line) => (
          <TipRow key={point} name={nameOf(point)}>
            {formatNumber(values[pick.at * points.length + line] ?? Number.NaN)}
          </TipRow>
        ))
        .reverse()}
    </>
  );
}

function nameOf(basisPoints: number): string {
  const words = spoken(histogramsWords);
  if (basisPoints === 0) return words.lowest;
  if (basisPoints === 5000) return words.median;
  return basisPoints === 10000 ? words.highest : words.percentile(String(basisPoints / 100));
}
