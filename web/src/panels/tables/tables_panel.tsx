// The page of logged tables: one card per tag and run, one step at a time.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import * as tablesWords from "../../state/texts/tables";
import { member, spoken } from "../../state/view";
import { TableCard, tableMenu } from "./table_card";

const cardHeight = member("cardHeight");

const LEAST_WIDTH_PX = 480;
const LEAST_HEIGHT_PX = 340;

export function TablesPanel(): JSX.Element {
  return (
    <KindPage
      kind="tables"
      words={spoken(tablesWords)}
      card={TableCard}
      menu={tableMenu}
      leastWidthPx={LEAST_WIDTH_PX}
      height={() => Math.max(LEAST_HEIGHT_PX, cardHeight.value)}
    />
  );
}
