// The page of logged HTML: a card per tag and run, each a page of its own inside a frame that shuts it off.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import * as htmlWords from "../../state/texts/html";
import { member, spoken } from "../../state/view";
import { HtmlCard, htmlMenu } from "./html_card";

const cardHeight = member("cardHeight");

// a page needs more room than a curve; the corner of a card makes all of them higher
const LEAST_WIDTH_PX = 420;
const LEAST_HEIGHT_PX = 360;

export function HtmlPanel(): JSX.Element {
  return (
    <KindPage
      kind="html"
      words={spoken(htmlWords)}
      card={HtmlCard}
      menu={htmlMenu}
      leastWidthPx={LEAST_WIDTH_PX}
      height={() => Math.max(LEAST_HEIGHT_PX, cardHeight.value)}
    />
  );
}
