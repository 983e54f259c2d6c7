// The images page: a card per tag and run, one step and sample at a time.

import type { JSX } from "preact";
import { KindPage } from "../../cards/kind_page";
import { texts } from "../../state/view";
import { ImageCard, imageMenu } from "./image_card";
import { ImagesToolbar } from "./images_toolbar";

export function ImagesPanel(): JSX.Element {
  return (
    <KindPage kind="images" words={texts.value.images} toolbar={<ImagesToolbar />} card={ImageCard} menu={imageMenu} />
  );
}
