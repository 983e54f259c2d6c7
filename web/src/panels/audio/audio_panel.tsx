// The audio page: a card per tag and run, one clip at a time.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bindCardKeys } from "../../cards/card_shortcuts";
import { KindPage } from "../../cards/kind_page";
import * as audioWords from "../../state/texts/audio";
import { member, spoken } from "../../state/view";
import { AudioCard, audioMenu } from "./audio_card";
import { AudioOptions, AudioToolbar } from "./audio_toolbar";
import { otherOf } from "./comparing";
import { playerOf } from "./player";

const cardHeight = member("cardHeight");

// height of the second clip and of the row that selects it
const COMPARE_PX = 130;

export function AudioPanel(): JSX.Element {
  useEffect(
    () =>
      bindCardKeys({
        k: (card) => playerOf(card)?.toggle(),
        b: (card) => {
          const player = playerOf(card);
          player?.hear(player.side.peek() === "a" ? "b" : "a");
        },
      }),
    [],
  );
  return (
    <KindPage
      kind="audio"
      words={spoken(audioWords)}
      toolbar={<AudioToolbar />}
      options={<AudioOptions />}
      card={AudioCard}
      menu={audioMenu}
      height={(card) => cardHeight.value + (otherOf(card.key) === null ? 0 : COMPARE_PX)}
    />
  );
}
