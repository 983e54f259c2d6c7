// The images page: one card per tag and run with one step and sample at a time, or a grid of images.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bindCardKeys } from "../../cards/card_shortcuts";
import { bindFilmKeys } from "../../cards/films_of_cards";
import { type CardsOfKind, KindPage } from "../../cards/kind_page";
import * as imagesWords from "../../state/texts/images";
import { spoken, view } from "../../state/view";
import { turnOver } from "./blink";
import { ImageCard, imageMenu } from "./image_card";
import { ImagesOptions, ImagesSettings } from "./images_settings";
import { ImagesToolbar } from "./images_toolbar";
import { PictureGrid } from "./picture_grid";

function bindKeys(): () => void {
  const stops = [bindFilmKeys(), bindCardKeys({ b: turnOver })];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Image cards for the time series page. */
export function imageCards(): CardsOfKind {
  return {
    kind: "images",
    title: () => spoken(imagesWords).title,
    card: ImageCard,
    menu: imageMenu,
    bindKeys,
    settings: ImagesSettings,
  };
}

export function ImagesPanel(): JSX.Element {
  useEffect(bindKeys, []);
  const grid = view.value.imagesLayout === "grid";
  return (
    <KindPage
      kind="images"
      words={spoken(imagesWords)}
      toolbar={<ImagesToolbar />}
      options={<ImagesOptions />}
      card={ImageCard}
      menu={imageMenu}
      body={grid ? (model) => <PictureGrid model={model} /> : undefined}
    />
  );
}
