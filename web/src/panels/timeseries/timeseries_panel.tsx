// The time series page: a toolbar, sections of chart cards, and the tooltip of all charts.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followColors } from "../../cards/chart_colors";
import { bindTimeseriesKeys } from "../../cards/charts/shortcuts";
import { parseCardKey } from "../../state/card_keys";
import { cardGroups, findCard, isBeside, offeredTags, scalarTags, shownTags } from "../../state/cards";
import { followPresentTags } from "../../state/present_tags";
import { allRuns, drawnRuns, tickAll } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { followBeside, type KindLoaders } from "./beside";
import { ChartGrid } from "./chart_grid";
import { FullBeside, FullCard } from "./full_card";
import "./timeseries_panel.css";
import { Tooltip } from "../../cards/charts/tooltip";
import { Toolbar } from "./toolbar";

/** `others`: loaders for cards of other kinds among the charts. */
export function TimeseriesPanel({ others }: { readonly others: KindLoaders }): JSX.Element {
  useEffect(() => {
    const stops = [followPresentTags(), followColors(), bindTimeseriesKeys(), followBeside(others)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [others]);
  const full = view.value.full === "" ? null : findCard(view.value.full);
  const beside = isBeside(view.value.full) ? parseCardKey(view.value.full) : null;
  return (
    <main class="timeseries" data-testid="timeseries">
      {beside !== null ? (
        <FullBeside card={beside} />
      ) : full === null ? (
        <>
          <div class="timeseries-toolbar-place">
            <Toolbar />
          </div>
          <Notice />
          <ChartGrid />
        </>
      ) : (
        <FullCard card={full} />
      )}
      <Tooltip />
    </main>
  );
}

/** Says why the page is empty, if it is. */
function Notice(): JSX.Element | null {
  const words = texts.value.timeseries;
  if (scalarTags.value.length === 0 && cardGroups.value.length === 0)
    return <Empty title={words.noTags} hint={words.noTagsHint} />;
  const filter = view.value.tagFilter;
  if (cardGroups.value.length === 0 && filter !== "") {
    return (
      <Empty title={words.noMatch(filter, offeredTags.value.length)}>
        <Button label={words.clearFilter} title={words.clearFilter} onClick={() => changeView({ tagFilter: "" })} />
      </Empty>
    );
  }
  if (allRuns.value.length > 0 && drawnRuns.value.length === 0) {
    return (
      <Empty title={words.noneDrawn} hint={words.noneDrawnHint}>
        <Button label={words.showAllRuns} title={words.showAllRuns} onClick={tickAll} />
      </Empty>
    );
  }
  if (cardGroups.value.length === 0 && view.value.timeseriesKinds !== "scalars") {
    return view.value.timeseriesKinds === "all" ? null : <Empty title={words.noneOfKind} />;
  }
  if (shownTags.value.length === 0 && cardGroups.value.length === 0 && view.value.hideEmpty) {
    return (
      <Empty title={words.allEmpty}>
        <Button label={words.showEmpty} title={words.showEmpty} onClick={() => changeView({ hideEmpty: false })} />
      </Empty>
    );
  }
  return null;
}

type EmptyProperties = { readonly title: string; readonly hint?: string; readonly children?: JSX.Element };

function Empty({ title, hint, children }: EmptyProperties): JSX.Element {
  return (
    <div class="timeseries__notice" role="status">
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
