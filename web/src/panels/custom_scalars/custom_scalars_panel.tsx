// The custom scalars page: charts in categories, from layouts that runs logged or that the user made.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import { CardGrid, HEADING_PX } from "../../cards/card_grid";
import { followColors } from "../../cards/chart_colors";
import { bindTimeseriesKeys } from "../../cards/charts/shortcuts";
import { extraHeightPx } from "../../cards/charts/step_table_size";
import { Tooltip } from "../../cards/charts/tooltip";
import { tip } from "../../cards/charts/tooltip_state";
import { FullFrame } from "../../cards/full_frame";
import type { Group } from "../../cards/layout";
import {
  type CustomCard,
  findCustomCard,
  followLayout,
  layout,
  layoutProblem,
  retryLayout,
} from "../../state/custom_scalars";
import { allRuns, drawnRuns, tickAll } from "../../state/runs";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { changeView, member, spoken, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { FOOT_PX, LIST_PX, listsMatches } from "./card_foot";
import { CategoryHeading } from "./category_heading";
import { CustomChartBody, CustomChartCard } from "./chart_card";
import { ChartDialog } from "./chart_dialog";
import "./custom_scalars_panel.css";
import { CustomToolbar } from "./custom_toolbar";
import { type CategoryGroup, categoryGroups, chartsInOrder, uncover } from "./layout_groups";

const cardHeight = member("cardHeight");

export function CustomScalarsPanel(): JSX.Element {
  useEffect(() => {
    const stops = [followLayout(), followColors(), bindTimeseriesKeys()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const full = view.value.full === "" ? null : findCustomCard(view.value.full);
  return (
    <main class="custom-scalars" data-testid="custom_scalars-page">
      <CustomToolbar />
      {full === null ? (
        <>
          <Notice />
          <CardGrid
            label={spoken(customScalarsWords).title}
            groups={groups}
            cardHeightPx={heightPx}
            heading={(group, topPx) => <CategoryHeading group={group} topPx={topPx} />}
            card={(cardKey, _, place) => <CustomChartCard cardKey={cardKey} place={place} />}
            uncover={uncover}
          />
        </>
      ) : (
        <FullChart card={full} />
      )}
      <Tooltip />
    </main>
  );
}

function heightPx(): number {
  return cardHeight.value + extraHeightPx.value + FOOT_PX;
}

function groups(): readonly Group<CategoryGroup>[] {
  return categoryGroups.value.map((group) => ({
    key: group.key,
    of: group,
    headingPx: HEADING_PX,
    cards: group.open ? group.cards.length : 0,
    rowPx: (from, to) => heightPx() + (group.cards.slice(from, to).some(({ key }) => listsMatches(key)) ? LIST_PX : 0),
  }));
}

function FullChart({ card }: { readonly card: CustomCard }): JSX.Element {
  return (
    <FullFrame
      cardKey={card.key}
      title={card.title}
      order={chartsInOrder}
      keepsEscape={keepsEscape}
      attributes={{ "data-kind-card": "custom_scalars" }}
    >
      {({ widthPx }) => <CustomChartBody key={card.key} card={card} widthPx={widthPx} urgency={() => 0} full />}
    </FullFrame>
  );
}

/** True if Esc must first release the frozen tooltip. */
function keepsEscape(): boolean {
  return tip.peek()?.frozen === true;
}

/** Says why the page is empty, if it is. */
function Notice(): JSX.Element | null {
  const words = spoken(customScalarsWords);
  const shared = texts.value.cards;
  const shown = layout.value;
  const problem = layoutProblem.value;
  if (shown === null) {
    if (problem === null) return null;
    return (
      <div class="custom-scalars__failed">
        <CardProblem title={words.failed} message={problem.message} onRetry={retryLayout} />
      </div>
    );
  }
  if (shown.length === 0) return <NoLayout />;
  if (allRuns.value.length > 0 && drawnRuns.value.length === 0) {
    return (
      <Empty title={shared.noneDrawn} hint={shared.noneDrawnHint}>
        <Button label={shared.showAllRuns} title={shared.showAllRuns} onClick={tickAll} />
      </Empty>
    );
  }
  const { tagFilter } = view.value;
  if (categoryGroups.value.length === 0 && tagFilter !== "") {
    return (
      <Empty title={words.noMatch(tagFilter)}>
        <Button label={shared.clearFilter} title={shared.clearFilter} onClick={() => changeView({ tagFilter: "" })} />
      </Empty>
    );
  }
  return null;
}

function NoLayout(): JSX.Element {
  const words = spoken(customScalarsWords);
  const making = useSignal(false);
  return (
    <Empty title={words.empty} hint={words.emptyHint}>
      <Button
        kind="primary"
        label={words.start}
        title={words.start}
        testId="custom-start"
        onClick={() => {
          making.value = true;
        }}
      />
      {making.value && (
        <ChartDialog
          place={{ category: 0, chart: 0 }}
          chart={null}
          onClose={() => {
            making.value = false;
          }}
        />
      )}
    </Empty>
  );
}

type EmptyProperties = { readonly title: string; readonly hint?: string; readonly children?: ComponentChildren };

function Empty({ title, hint, children }: EmptyProperties): JSX.Element {
  return (
    <div class="custom-scalars__notice" role="status">
      <h2>{title}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
