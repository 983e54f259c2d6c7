// The grid of chart cards in sections.

import type { JSX } from "preact";
import { CardFrame } from "../../cards/card_frame";
import { CardGrid, type CardPlace, HEADING_PX, SUB_HEADING_PX } from "../../cards/card_grid";
import { ChartCard } from "../../cards/charts/card";
import { extraHeightPx } from "../../cards/charts/step_table_size";
import type { Group } from "../../cards/layout";
import { type CardGroup, cardGroups, isBeside } from "../../state/cards";
import { member, texts } from "../../state/view";
import { besideOf } from "./beside";
import { ChartHeading } from "./section_heading";
import { uncover } from "./uncover";

const cardHeight = member("cardHeight");

function groups(): readonly Group<CardGroup>[] {
  const all = cardGroups.value;
  return all.map((group) => ({
    key: group.key,
    of: group,
    headingPx: all.length === 1 && isNameless(group) ? 0 : group.depth === 0 ? HEADING_PX : SUB_HEADING_PX,
    cards: group.open ? group.length : 0,
  }));
}

/** True for the section of tags without prefix. If it is the only one and open, it needs no heading. */
function isNameless({ kind, title, open }: CardGroup): boolean {
  return kind === "tags" && title === "" && open;
}

export function ChartGrid(): JSX.Element {
  return (
    <CardGrid
      label={texts.value.timeseries.title}
      groups={groups}
      cardHeightPx={() => cardHeight.value + extraHeightPx.value}
      heading={(group, topPx) => <ChartHeading group={group} topPx={topPx} />}
      card={(cardKey, group, place) =>
        isBeside(cardKey) ? (
          <KindCardBeside cardKey={cardKey} group={group} place={place} />
        ) : (
          <ChartCard cardKey={cardKey} group={group} place={place} />
        )
      }
      uncover={uncover}
    />
  );
}

type BesideProps = { readonly cardKey: string; readonly group: CardGroup; readonly place: CardPlace };

/** A card of another kind; a placeholder until its code is loaded. */
function KindCardBeside({ cardKey, group, place }: BesideProps): JSX.Element {
  const beside = besideOf(cardKey);
  if (beside === null) {
    return (
      <CardFrame cardKey={cardKey} title="" place={place}>
        <div class="card__skeleton" />
      </CardFrame>
    );
  }
  const Card = beside.opened.card;
  return <Card of={beside.of} cardKey={cardKey} above={group.kind === "tags" ? group.path : ""} place={place} />;
}
