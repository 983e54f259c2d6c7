// The page of plotly.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { texts } from "../../state/view";

export function PlotlyPanel(): JSX.Element {
  return <KindPage kind="plotly" words={texts.value.plotly} card={() => <div />} />;
}
