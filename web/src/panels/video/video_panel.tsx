// The video page: one card per tag and run, one video at a time, played separately or synchronized.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { FilmToolbar } from "../../cards/film_toolbar";
import { bindFilmKeys } from "../../cards/films_of_cards";
import { KindPage } from "../../cards/kind_page";
import * as videoWords from "../../state/texts/video";
import { spoken } from "../../state/view";
import { VideoCard, videoMenu } from "./video_card";

export function VideoPanel(): JSX.Element {
  useEffect(bindFilmKeys, []);
  return (
    <KindPage
      kind="video"
      words={spoken(videoWords)}
      toolbar={<FilmToolbar sound />}
      card={VideoCard}
      menu={videoMenu}
    />
  );
}
