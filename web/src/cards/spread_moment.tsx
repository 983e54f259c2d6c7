// Step and time of a point: the first rows of tooltips of histograms and percentiles.

import type { JSX } from "preact";
import type { Spread } from "../state/spreads";
import type { SeriesSteps } from "../state/steps";
import * as histogramsWords from "../state/texts/histograms";
import { dateText, durationText, spoken } from "../state/view";
import { TipRow } from "./hover_tip";
import { formatStep } from "./step_slider";

type Properties = { readonly spread: Spread; readonly at: number; readonly series: SeriesSteps };

export function MomentRows({ spread, at, series }: Properties): JSX.Element {
  const words = spoken(histogramsWords);
  const wall = spread.walls[at] ?? Number.NaN;
  return (
    <>
      <TipRow name={words.step}>{formatStep(spread.exact[at])}</TipRow>
      <TipRow name={words.wall}>{dateText(wall, "second") ?? "–"}</TipRow>
      <TipRow name={words.relative}>{durationText(wall - (series.walls[0] ?? wall))}</TipRow>
    </>
  );
}
