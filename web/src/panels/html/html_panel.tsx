// The page of logged HTML: one card per tag and run, each with a page in a sandboxed iframe.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import * as htmlWords from "../../state/texts/html";
import { member, spoken } from "../../state/view";
import { HtmlCard, htmlMenu } from "./html_card";

const cardHeight = member("cardHeight");

// pages need more width than charts; a card's corner handle changes the height of all cards
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
