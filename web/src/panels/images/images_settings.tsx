// Settings of images on the time series page: the same as in the toolbar of the images page.

import type { JSX } from "preact";
import * as imagesWords from "../../state/texts/images";
import { changeView, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Slider } from "../../widgets/slider";

export function ImagesSettings(): JSX.Element {
  const words = spoken(imagesWords);
  const { imagesBrightness, imagesContrast, imagesActual } = view.value;
  return (
    <>
      <Slider
        label={words.brightness}
        value={imagesBrightness}
        min={0}
        max={2}
        step={0.05}
        numberField={{ max: 4, step: 0.05 }}
        testId="pane-brightness"
        onInput={(value) => changeView({ imagesBrightness: value })}
      />
      <Slider
        label={words.contrast}
        value={imagesContrast}
        min={0}
        max={4}
        step={0.1}
        numberField={{ max: 8, step: 0.1 }}
        testId="pane-contrast"
        onInput={(value) => changeView({ imagesContrast: value })}
      />
      <Checkbox
        label={words.actual}
        checked={imagesActual}
        testId="pane-actual"
        onChange={(on) => changeView({ imagesActual: on })}
      />
      {(imagesBrightness !== 1 || imagesContrast !== 1) && (
        <Button
          label={words.resetLook}
          title={words.resetLook}
          onClick={() => changeView({ imagesBrightness: 1, imagesContrast: 1 })}
        />
      )}
    </>
  );
}
