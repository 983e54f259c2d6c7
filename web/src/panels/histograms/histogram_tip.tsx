// Tooltip of a histogram card: step, time, bin and its count under the pointer.

import type { JSX } from "preact";
import { formatNumber } from "../../base/numbers";
import { TipRow } from "../../cards/hover_tip";
import type { SpreadTip } from "../../cards/spread_card";
import { MomentRows } from "../../cards/spread_moment";
import * as histogramsWords from "../../state/texts/histograms";
import { spoken, view } from "../../state/view";

export function HistogramTip({ spread, pick, series }: SpreadTip): JSX.Element {
  const words = spoken(histogramsWords);
  const { bin } = pick;
  // re-binned counts may be fractions
  const spreadOut = view.value.histogramsBins === "even";
  return (
    <>
      <MomentRows spread={spread} at={pick.at} series={series} />
      {bin !== null && (
        <>
          <TipRow name={words.bin}>
            {formatNumber(bin.left)} … {formatNumber(bin.right)}
          </TipRow>
          <TipRow name={spreadOut ? words.estimated : words.count}>{formatNumber(bin.count, 6)}</TipRow>
        </>
      )}
      {spread.kind === "histograms" && (
        <TipRow name={words.total}>{formatNumber(totalOf(spread.counts, spread.first, pick.at), 6)}</TipRow>
      )}
    </>
  );
}

function totalOf(counts: Float64Array, first: Uint32Array, at: number): number {
  let sum = 0;
  for (let i = first[at] ?? 0; i < (first[at + 1] ?? 0); i++) sum += counts[i] ?? 0;
  return sum;
}
