// How all pictures are shown: fitted or in their own size, brighter, with more contrast.

import type { JSX } from "preact";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { Slider } from "../../widgets/slider";
import "./images_toolbar.css";

export function ImagesToolbar(): JSX.Element {
  const words = texts.value.images;
  const { imagesActual, imagesBrightness, imagesContrast } = view.value;
  const changed = imagesBrightness !== 1 || imagesContrast !== 1;
  return (
    <>
      <Button
        label={words.actual}
        title={words.actualHint}
        pressed={imagesActual}
        testId="images-actual"
        onClick={() => changeView({ imagesActual: !imagesActual })}
      />
      <div class="images-toolbar__look" title={words.brightness}>
        <Icon name="sun" />
        <Slider
          label={words.brightness}
          bare
          value={imagesBrightness}
          min={0}
          max={2}
          step={0.05}
          testId="images-brightness"
          onInput={(value) => changeView({ imagesBrightness: value })}
        />
      </div>
      <div class="images-toolbar__look" title={words.contrast}>
        <Icon name="contrast" />
        <Slider
          label={words.contrast}
          bare
          value={imagesContrast}
          min={0}
          max={4}
          step={0.1}
          testId="images-contrast"
          onInput={(value) => changeView({ imagesContrast: value })}
        />
      </div>
      {changed && (
        <Button
          kind="quiet"
          icon="reset"
          title={words.resetLook}
          testId="images-reset"
          onClick={() => changeView({ imagesBrightness: 1, imagesContrast: 1 })}
        />
      )}
    </>
  );
}
