// The images page: a card per tag and run, one step and sample at a time; or a grid of them.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bindCardKeys } from "../../cards/card_shortcuts";
import { bindFilmKeys } from "../../cards/films_of_cards";
import { KindPage } from "../../cards/kind_page";
import * as imagesWords from "../../state/texts/images";
import { spoken, view } from "../../state/view";
import { turnOver } from "./blink";
import { ImageCard, imageMenu } from "./image_card";
import { ImagesToolbar } from "./images_toolbar";
import { PictureGrid } from "./picture_grid";

export function ImagesPanel(): JSX.Element {
  useEffect(bindFilmKeys, []);
  useEffect(() => bindCardKeys({ b: turnOver }), []);
  const grid = view.value.imagesLayout === "grid";
  return (
    <KindPage
      kind="images"
      words={spoken(imagesWords)}
      toolbar={<ImagesToolbar />}
      card={ImageCard}
      menu={imageMenu}
      body={grid ? (model) => <PictureGrid model={model} /> : undefined}
    />
  );
}
