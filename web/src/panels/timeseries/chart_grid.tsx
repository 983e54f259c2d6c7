// Sections of charts: the grid of cards, told what stands in it.

import type { JSX } from "preact";
import { CardGrid, HEADING_PX, SUB_HEADING_PX } from "../../cards/card_grid";
import { ChartCard } from "../../cards/charts/card";
import { extraHeightPx } from "../../cards/charts/step_table_size";
import type { Group } from "../../cards/layout";
import { type CardGroup, cardGroups } from "../../state/cards";
import { member, texts } from "../../state/view";
import { ChartHeading } from "./section_heading";
import { uncover } from "./uncover";

const cardHeight = member("cardHeight");

function groups(): readonly Group<CardGroup>[] {
  return cardGroups.value.map((group) => ({
    key: group.key,
    of: group,
    headingPx: group.depth === 0 ? HEADING_PX : SUB_HEADING_PX,
    cards: group.open ? group.length : 0,
  }));
}

export function ChartGrid(): JSX.Element {
  return (
    <CardGrid
      label={texts.value.timeseries.title}
      groups={groups}
      cardHeightPx={() => cardHeight.value + extraHeightPx.value}
      heading={(group, topPx) => <ChartHeading group={group} topPx={topPx} />}
      card={(cardKey, group, place) => <ChartCard cardKey={cardKey} group={group} place={place} />}
      uncover={uncover}
    />
  );
}
