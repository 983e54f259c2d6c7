// The page of precision-recall curves: one card per tag with the curves of all drawn runs.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followColors } from "../../cards/chart_colors";
import { HEADER_PX } from "../../cards/kind_card";
import { KindPage } from "../../cards/kind_page";
import type { KindCard } from "../../state/card_keys";
import { drawnSet } from "../../state/drawn";
import { drawnRuns } from "../../state/runs";
import { stepsOf } from "../../state/steps";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { member, spoken } from "../../state/view";
import { CurveCard } from "./curve_card";
import { tableHeightPx } from "./curve_table";
import { curveMenu } from "./downloads";
import { PrCurvesOptions, PrCurvesToolbar } from "./pr_curves_toolbar";
import { KIND } from "./run_choice";

const cardHeight = member("cardHeight");

const LEAST_CHART_PX = 250;

/** Height of the chart as the user set it for cards, plus the table below it. */
function heightOf(card: KindCard): number {
  const held = stepsOf(KIND, card.tag).runs.value;
  const runs =
    held === null ? drawnRuns.value.length : [...held.keys()].filter((run) => drawnSet.value.has(run)).length;
  return Math.max(LEAST_CHART_PX, cardHeight.value) + HEADER_PX + tableHeightPx(runs);
}

export function PrCurvesPanel(): JSX.Element {
  useEffect(followColors, []);
  return (
    <KindPage
      kind={KIND}
      per="tag"
      words={spoken(prCurvesWords)}
      toolbar={<PrCurvesToolbar />}
      options={<PrCurvesOptions />}
      card={CurveCard}
      menu={curveMenu}
      height={heightOf}
      leastWidthPx={380}
    />
  );
}
