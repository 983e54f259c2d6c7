// The page of Plotly figures: one card per tag and run, one step at a time, each drawn in its own iframe.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import * as plotlyWords from "../../state/texts/plotly";
import { changeView, member, spoken } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { PlotlyCard, plotlyMenu } from "./plotly_card";

const cardHeight = member("cardHeight");
const asLogged = member("plotlyAsLogged");

const LEAST_WIDTH_PX = 420;
const LEAST_HEIGHT_PX = 360;

export function PlotlyPanel(): JSX.Element {
  const words = spoken(plotlyWords);
  return (
    <KindPage
      kind="plotly"
      words={words}
      options={
        <Checkbox
          label={words.asLogged}
          title={words.asLoggedHint}
          checked={asLogged.value}
          testId="plotly-as-logged"
          onChange={(checked) => changeView({ plotlyAsLogged: checked })}
        />
      }
      card={PlotlyCard}
      menu={plotlyMenu}
      leastWidthPx={LEAST_WIDTH_PX}
      height={() => Math.max(LEAST_HEIGHT_PX, cardHeight.value)}
    />
  );
}
