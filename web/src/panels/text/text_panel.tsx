// The page of texts: one card per tag and run with all steps, the newest first.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import * as textWords from "../../state/texts/text";
import { member, spoken } from "../../state/view";
import { TextCard, textMenu } from "./text_card";
import { TextOptions, TextToolbar } from "./text_toolbar";

const cardHeight = member("cardHeight");

const LEAST_WIDTH_PX = 420;
const LEAST_HEIGHT_PX = 320;

export function TextPanel(): JSX.Element {
  return (
    <KindPage
      kind="text"
      words={spoken(textWords)}
      toolbar={<TextToolbar />}
      options={<TextOptions />}
      card={TextCard}
      menu={textMenu}
      leastWidthPx={LEAST_WIDTH_PX}
      height={() => Math.max(LEAST_HEIGHT_PX, cardHeight.value)}
    />
  );
}
